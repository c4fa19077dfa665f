package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.service.cli.RedisLocation;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import dev.latchkey.testing.servers.TestCertificate;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the URIs come to, on servers that ask for passwords and TLS. */
class StoreConnectionsTest {

  private static final String USES_TLS =
      "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

  @TempDir static Path directory;

  private static TestCertificate mine;
  private static TestCertificate named;
  private static TestCertificate other;

  private final Vertx vertx = TestVertx.create();

  @AfterEach
  void tearDown() {
    await(vertx.close());
  }

  private String usesTls(String uri) throws Exception {
    PgConnection connection =
        PgConnection.connect(vertx, PostgresLocation.parse(uri).connectOptions())
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    return await(
        connection
            .query(USES_TLS)
            .execute()
            .map(rows -> rows.iterator().next().getString(0))
            .eventually(connection::close));
  }

  private String ping(String uri) throws Exception {
    Redis client = Redis.createClient(vertx, RedisLocation.parse(uri).redisOptions());
    try {
      return client
          .send(Request.cmd(Command.PING))
          .map(Object::toString)
          .toCompletionStage()
          .toCompletableFuture()
          .get(30, TimeUnit.SECONDS);
    } finally {
      await(client.close());
    }
  }

  @BeforeAll
  static void makeCertificates() throws Exception {
    mine = certificate("mine", "ip:127.0.0.1");
    named = certificate("named", "dns:elsewhere.example");
    other = certificate("other", "ip:127.0.0.1");
  }

  private static TestCertificate certificate(String directoryName, String... names)
      throws Exception {
    return TestCertificate.create(Files.createDirectory(directory.resolve(directoryName)), names);
  }

  @Test
  void postgresVerifiesAsConfiguredInTheUri() throws Exception {
    try (PostgresServer good = RealServers.startPostgres(mine);
        PostgresServer misnamed = RealServers.startPostgres(named)) {
      String uri = good.freshDatabase().uri();
      String misnamedUri = misnamed.freshDatabase().uri();
      assertThat(usesTls(uri)).isEqualTo("false");
      for (String mode : new String[] {"prefer", "require"}) {
        assertThat(usesTls(uri + "?sslmode=" + mode)).isEqualTo("true");
      }
      String trusted = "&sslrootcert=" + mine.certificateFile();
      assertThat(usesTls(uri + "?sslmode=verify-full" + trusted)).isEqualTo("true");
      String rootOfNamed = "&sslrootcert=" + named.certificateFile();
      assertThat(usesTls(misnamedUri + "?sslmode=verify-ca" + rootOfNamed)).isEqualTo("true");
      assertThatThrownBy(() -> usesTls(misnamedUri + "?sslmode=verify-full" + rootOfNamed))
          .hasMessageContaining("handshake");
      for (String mode : new String[] {"require", "verify-ca", "verify-full"}) {
        String distrusted = uri + "?sslmode=" + mode + "&sslrootcert=" + other.certificateFile();
        assertThatThrownBy(() -> usesTls(distrusted)).hasMessageContaining("handshake");
      }
      assertThat(
              new Processes()
                  .migrate(PostgresLocation.parse(uri + "?sslmode=verify-full" + trusted)))
          .isZero();
      assertThat(
              new Processes()
                  .migrate(
                      PostgresLocation.parse(misnamedUri + "?sslmode=verify-full" + rootOfNamed)))
          .isEqualTo(1);
    }
  }

  @Test
  void tlsFailsIfTheServerHasNone() {
    Database database = RealServers.freshDatabase();
    assertThatThrownBy(() -> usesTls(database.uri() + "?sslmode=require"))
        .isInstanceOf(Exception.class);
  }

  @Test
  void redisTakesUserAndTls() throws Exception {
    try (RedisServer plain =
            RealServers.startRedis("--user", "jo", "on", ">p@ss/w", "~*", "+@all");
        RedisServer tls = RealServers.startRedis(mine)) {
      String jo = "redis://jo:p%40ss%2Fw@127.0.0.1:" + plain.port() + "/0";
      assertThat(ping(jo)).isEqualTo("PONG");
      assertThatThrownBy(() -> ping(jo.replace("ss", "zz"))).hasStackTraceContaining("WRONGPASS");
      String secure = "rediss://127.0.0.1:" + tls.port() + "/0?sslrootcert=";
      assertThat(ping(secure + mine.certificateFile())).isEqualTo("PONG");
      assertThatThrownBy(() -> ping(secure + other.certificateFile())).hasMessageContaining("SSL");
    }
  }
}
