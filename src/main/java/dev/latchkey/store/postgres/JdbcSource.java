package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.connection.Failures;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.postgresql.ds.PGSimpleDataSource;

/** The JDBC view of the options that the store connects with. Blocks. */
record JdbcSource(PGSimpleDataSource dataSource, Optional<Path> certificates)
    implements AutoCloseable {

  /**
   * The driver's log only repeats its exceptions, on standard error. Referenced here, since a
   * logger without references loses its level.
   */
  private static final Logger DRIVER_LOG = Logger.getLogger("org.postgresql");

  static {
    DRIVER_LOG.setLevel(Level.OFF);
  }

  private static final int CONNECT_SECONDS = 5;
  private static final int SOCKET_SECONDS = 120;

  static JdbcSource of(PgConnectOptions connect) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {connect.getHost()});
    source.setPortNumbers(new int[] {connect.getPort()});
    source.setDatabaseName(connect.getDatabase());
    source.setUser(connect.getUser());
    source.setPassword(connect.getPassword());
    source.setApplicationName("latchkey migrate");
    source.setConnectTimeout(CONNECT_SECONDS);
    // For a server that accepts the connection and stays silent.
    source.setLoginTimeout(CONNECT_SECONDS);
    source.setSocketTimeout(SOCKET_SECONDS);
    String schema = connect.getProperties().get("search_path");
    if (schema != null) {
      source.setCurrentSchema(schema);
    }
    SslMode mode = connect.getSslMode();
    source.setSslMode(mode.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    Optional<Path> certificates = Optional.empty();
    if (mode == SslMode.VERIFY_CA || mode == SslMode.VERIFY_FULL) {
      Path file = certificates(connect.getSslOptions());
      certificates = Optional.of(file);
      source.setSslRootCert(file.toString());
    }
    return new JdbcSource(source, certificates);
  }

  /** The driver reads certificates only from a file, so those in memory are written to one. */
  private static Path certificates(ClientSSLOptions tls) {
    TrustOptions trust = tls == null ? null : tls.getTrustOptions();
    if (!(trust instanceof PemTrustOptions pem)) {
      throw Failures.permanent("migrate: certificates to trust are taken as PEM alone");
    }
    try {
      Path file = Files.createTempFile("latchkey-trusted", ".pem");
      Buffer all = Buffer.buffer();
      for (String path : pem.getCertPaths()) {
        all.appendBytes(Files.readAllBytes(Path.of(path))).appendString("\n");
      }
      pem.getCertValues().forEach(value -> all.appendBuffer(value).appendString("\n"));
      Files.write(file, all.getBytes());
      return file;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Override
  public void close() {
    certificates.ifPresent(
        file -> {
          try {
            Files.deleteIfExists(file);
          } catch (IOException kept) {
            throw new UncheckedIOException(kept);
          }
        });
  }
}
