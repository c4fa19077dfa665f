package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.postgres.effect.PostgresEffectKinds;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.TestCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections by TLS, with the server's certificate checked. */
class TlsTest {

  private static PgConnectOptions trusting(Database database, Path certificate) {
    return database
        .connectOptions()
        .setSslMode(SslMode.VERIFY_FULL)
        .setSslOptions(
            new ClientSSLOptions()
                .setHostnameVerificationAlgorithm("HTTPS")
                .setTrustOptions(new PemTrustOptions().addCertPath(certificate.toString())));
  }

  @Test
  void schemaAndStoreRejectAnUntrustedServer(@TempDir Path directory, @TempDir Path elsewhere) {
    TestCertificate certificate = TestCertificate.create(directory, "ip:127.0.0.1");
    TestCertificate other = TestCertificate.create(elsewhere, "ip:127.0.0.1");
    Vertx vertx = TestVertx.create();
    try (PostgresServer server = RealServers.startPostgres(certificate)) {
      Database database = server.freshDatabase();
      PgConnectOptions trusting = trusting(database, certificate.certificateFile());
      PgConnectOptions distrusting = trusting(database, other.certificateFile());
      assertThat(await(PostgresSchema.keys().migrate(vertx, trusting))).isPositive();
      assertThatThrownBy(() -> await(PostgresSchema.keys().migrate(vertx, distrusting)))
          .isInstanceOf(StoreException.class);
      PostgresStore store =
          PostgresStore.create(vertx, trusting, PostgresNodes.patient(), PostgresEffectKinds.NONE);
      PostgresStore wary =
          PostgresStore.create(
              vertx, distrusting, PostgresNodes.patient(), PostgresEffectKinds.NONE);

      assertThat(await(store.claim(Attempt.atNewKey().request()))).isInstanceOf(Claimed.class);
      assertThatThrownBy(() -> await(wary.claim(Attempt.atNewKey().request())))
          .isInstanceOf(StoreException.class);
      assertThat(
              database.value(
                  "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
                      + " WHERE application_name = 'latchkey'"))
          .isEqualTo("t");
      await(store.close());
      await(wary.close());
    } finally {
      await(vertx.close());
    }
  }
}
