package dev.latchkey.http;

/** Two tenants that the service knows by their secrets. */
final class Tenants {

  static final String[] OPTIONS = {"--api-keys", "acme:s3cret-of-acme-0,globex:s3cret-of-globex"};
  static final String ACME = "Bearer s3cret-of-acme-0";
  static final String GLOBEX = "Bearer s3cret-of-globex";

  private Tenants() {}
}
