package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import dev.latchkey.testing.servers.TestCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.RedisOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, with the server's certificate checked, and a password. */
class RedisTlsTest {

  @TempDir private Path directory;
  private RedisServer server;
  private Vertx vertx;
  private Path trusted;

  @BeforeEach
  void start() {
    TestCertificate certificate = TestCertificate.create(directory, "ip:127.0.0.1");
    trusted = certificate.certificateFile();
    server = RealServers.startRedis(certificate, "--requirepass", "secret");
    vertx = TestVertx.create();
  }

  @AfterEach
  void stop() {
    vertx.close().await();
    server.close();
  }

  private RedisNode node(String password, Path trust) {
    RedisOptions options =
        new RedisOptions()
            .setEndpoints(List.of("rediss://:" + password + "@127.0.0.1:" + server.port() + "/0"));
    options
        .getNetClientOptions()
        .setSsl(true)
        .setHostnameVerificationAlgorithm("HTTPS")
        .setTrustOptions(new PemTrustOptions().addCertPath(trust.toString()));
    return new RedisNode(vertx, options);
  }

  @Test
  void claimsOverTls() {
    try (RedisNode node = node("secret", trusted).ready()) {
      Attempt attempt = Attempt.atNewKey();
      node.calls().claimed(attempt);
      node.calls().completed(attempt);
      assertThat(node.calls().claim(attempt.retried())).isInstanceOf(ClaimResult.Completed.class);
    }
  }

  @Test
  void untrustedCertificateAndWrongPasswordAreRejectedAndNotLogged() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    Path stranger = TestCertificate.create(other, "ip:127.0.0.1").certificateFile();
    try (LogRecorder log = new LogRecorder(RedisConnections.class)) {
      for (RedisNode node : List.of(node("secret", stranger), node("wrong-one", trusted))) {
        assertThatThrownBy(() -> node.calls().claim(Attempt.atNewKey()))
            .isInstanceOfSatisfying(
                StoreException.class,
                refused ->
                    assertThat(refused.outcome()).isEqualTo(StoreException.Outcome.NOT_DONE));
        node.close();
      }
      assertThat(log.lines())
          .isNotEmpty()
          .noneMatch(line -> line.contains("secret") || line.contains("wrong-one"));
    }
  }
}
