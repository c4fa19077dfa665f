package dev.latchkey.service.cli;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Location of a Postgres database. Its text contains no secret. Immutable.
 *
 * @param uri where and as whom
 * @param sslMode how much TLS, in the sense of libpq; {@code verify-ca} for what is written {@code
 *     require} with a root certificate, as there
 * @param roots what the server's certificate must lead to; present from {@code verify-ca} up
 */
public record PostgresLocation(ServerUri uri, SslMode sslMode, Optional<TrustedRoots> roots) {

  private static final List<String> SCHEMES = List.of("postgresql", "postgres");
  private static final String SSL_MODE = "sslmode";
  private static final int DEFAULT_PORT = 5_432;

  /**
   * Reads {@code postgresql://user:password@host:port/database}, with {@code sslmode} (when left
   * out: {@code disable}) and {@code sslrootcert} as parameters.
   *
   * @throws IllegalArgumentException if it is malformed; the message contains no secret
   */
  public static PostgresLocation parse(String text) {
    ServerUri uri = ServerUri.parse(text, SCHEMES, Set.of(SSL_MODE, TrustedRoots.PARAMETER));
    check(uri.user().isPresent(), "it names no user");
    check(!uri.path().isEmpty(), "it names no database");
    SslMode written = sslMode(uri.parameters().getOrDefault(SSL_MODE, SslMode.DISABLE.value));
    Optional<String> file = Optional.ofNullable(uri.parameters().get(TrustedRoots.PARAMETER));
    boolean verifies = written == SslMode.VERIFY_CA || written == SslMode.VERIFY_FULL;
    check(
        file.isPresent() || !verifies,
        "its sslmode '" + written.value + "' needs " + TrustedRoots.PARAMETER + "=FILE");
    check(
        file.isEmpty() || verifies || written == SslMode.REQUIRE,
        "its sslmode '" + written.value + "' would ignore " + TrustedRoots.PARAMETER);
    Optional<TrustedRoots> roots =
        file.isPresent() ? Optional.of(TrustedRoots.read(file.get())) : Optional.empty();
    SslMode mode = roots.isPresent() && !verifies ? SslMode.VERIFY_CA : written;
    return new PostgresLocation(uri, mode, roots);
  }

  /** Returns new options for the driver, to be changed at will. They hold the password. */
  public PgConnectOptions connectOptions() {
    ClientSSLOptions tls = new ClientSSLOptions();
    roots.ifPresentOrElse(
        trusted -> tls.setTrustOptions(trusted.trustOptions()), () -> tls.setTrustAll(true));
    tls.setHostnameVerificationAlgorithm(sslMode == SslMode.VERIFY_FULL ? "HTTPS" : "");
    return new PgConnectOptions()
        .setHost(uri.host())
        .setPort(port())
        .setDatabase(uri.path())
        .setUser(uri.user().orElseThrow())
        .setPassword(uri.password().orElse(""))
        .setSslMode(sslMode)
        .setSslOptions(tls);
  }

  private int port() {
    return uri.port().orElse(DEFAULT_PORT);
  }

  @Override
  public String toString() {
    return uri.toString();
  }

  private static SslMode sslMode(String text) {
    return Arrays.stream(SslMode.values())
        .filter(mode -> mode.value.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "its sslmode '"
                        + text
                        + "' is not one of: "
                        + Arrays.stream(SslMode.values())
                            .map(mode -> mode.value)
                            .collect(Collectors.joining(", "))));
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
