package dev.latchkey.http;

/** Two tenants that the service knows by their secrets. */
final class Tenants {

  static final String[] OPTIONS = {"--api-keys", "acme:s3cret-a,globex:s3cret-g"};
  static final String ACME = "Bearer s3cret-a";
  static final String GLOBEX = "Bearer s3cret-g";

  private Tenants() {}
}
