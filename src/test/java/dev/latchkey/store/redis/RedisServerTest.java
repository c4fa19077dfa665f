package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisDurability;
import dev.latchkey.store.redis.connection.RedisDurability.Loss;
import dev.latchkey.store.redis.connection.RedisSubscription;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.RedisOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rights, settings, memory and connections of a server. */
class RedisServerTest {

  private RedisServer server;
  private Vertx vertx;
  private RedisNode node;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    vertx = TestVertx.create();
    node = new RedisNode(vertx, server.uri()).ready();
  }

  @AfterEach
  void stop() {
    node.close();
    vertx.close().await();
    server.close();
  }

  private RedisDurability durability() {
    return await(RedisDurability.read(node.connections));
  }

  @ParameterizedTest
  @CsvSource({
    "no,  everysec, '',     EVERYTHING",
    "no,  everysec, 60 100, SINCE_SNAPSHOT",
    "yes, no,       '',     UNFLUSHED",
    "yes, everysec, '',     LAST_SECOND",
    "yes, always,   60 100, NOTHING"
  })
  void durabilityIsReadFromTheSettings(String appendOnly, String fsync, String save, Loss loss) {
    server.command("CONFIG", "SET", "appendonly", appendOnly);
    server.command("CONFIG", "SET", "appendfsync", fsync);
    server.command("CONFIG", "SET", "save", save);

    assertThat(durability().crashLoses()).isEqualTo(loss);
    assertThat(durability().line()).startsWith("a crash of this Redis loses ").doesNotContain("\n");
  }

  @Test
  void storeWithItsOwnConnectionsClosesThem() {
    RedisStore plain =
        RedisStore.create(vertx, new RedisOptions().setConnectionString(server.uri()));
    StoreCalls.eventually(plain::ready);
    Attempt attempt = Attempt.atNewKey();
    new StoreCalls(plain).claimed(attempt);
    new StoreCalls(plain).completed(attempt);

    await(plain.close());

    assertThatThrownBy(() -> await(plain.lookup(attempt.key()))).hasMessageContaining("closed");
  }

  @Test
  void evictionPolicyIsReported() {
    assertThat(durability().evicts()).isEmpty();
    server.command("CONFIG", "SET", "maxmemory", "100mb");
    server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");

    assertThat(durability().evicts()).contains("allkeys-lru");
    assertThat(durability().line()).contains("allkeys-lru").contains("noeviction");
  }

  @ParameterizedTest
  @CsvSource({"+info, true", "-info, false"})
  void evictionPolicyIsReadFromInfoOrSaidToBeUnknown(String right, boolean known) {
    server.command("CONFIG", "SET", "maxmemory", "100mb");
    server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    server.command("ACL", "SETUSER", "hosted", "on", ">secret", "~latchkey:*", "&latchkey:*");
    server.command("ACL", "SETUSER", "hosted", "+@all", "-config", right);
    String uri = server.uri().replace("redis://", "redis://hosted:secret@");
    try (RedisNode hosted = new RedisNode(vertx, uri).ready()) {
      RedisDurability read = await(RedisDurability.read(hosted.connections));

      assertThat(read.evictionKnown()).isEqualTo(known);
      assertThat(read.line()).contains(known ? "allkeys-lru" : "maxmemory-policy cannot be read");
    }
  }

  @Test
  void userWithTheDocumentedRightsSuffices() {
    server.command(
        "ACL",
        "SETUSER",
        "latchkey",
        "on",
        ">secret",
        "~latchkey:*",
        // In 6.2 a new user may use every channel.
        "resetchannels",
        "&latchkey:*",
        "+@all",
        "-@admin",
        "-@dangerous",
        "+info");
    String uri = server.uri().replace("redis://", "redis://latchkey:secret@");
    try (RedisNode restricted = new RedisNode(vertx, uri).ready()) {
      Attempt attempt = Attempt.atNewKey();
      restricted.calls().claimed(attempt);
      restricted.calls().completed(attempt);

      assertThat(await(RedisDurability.read(restricted.connections)).crashLoses())
          .isEqualTo(Loss.UNKNOWN);
    }
  }

  /** Some providers remove commands. */
  @ParameterizedTest
  @ValueSource(strings = {"CONFIG", "ROLE", "INFO", "SETRANGE"})
  void serverWithoutAnOptionalCommandIsUsedWithoutAWarning(String command) {
    try (RedisServer without = RealServers.startRedis("--rename-command", command, "");
        LogRecorder log = new LogRecorder(RedisConnections.class);
        RedisNode there = new RedisNode(vertx, without.uri())) {
      assertIsEnough(there);
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void userWithoutOptionalCommandsSufficesWithoutAWarning() {
    server.command("ACL", "SETUSER", "latchkey", "on", ">secret", "~latchkey:*");
    server.command("ACL", "SETUSER", "latchkey", "resetchannels", "&latchkey:*");
    server.command("ACL", "SETUSER", "latchkey", "+@all", "-config", "-role", "-info", "-setrange");
    String uri = server.uri().replace("redis://", "redis://latchkey:secret@");
    try (LogRecorder log = new LogRecorder(RedisConnections.class);
        RedisNode restricted = new RedisNode(vertx, uri)) {
      assertIsEnough(restricted);
      assertThat(log.lines()).isEmpty();
    }
  }

  private static void assertIsEnough(RedisNode node) {
    await(node.store.ready());
    await(RedisDurability.read(node.connections));
    await(node.store.probe());
    Attempt attempt = Attempt.atNewKey();
    node.calls().claimed(attempt);
    node.calls().completed(attempt);
  }

  @Test
  void nodeWithoutTheRightToSubscribeNamesTheChannel() {
    server.command("ACL", "SETUSER", "deaf", "on", ">secret", "~latchkey:*", "+@all");
    server.command("ACL", "SETUSER", "deaf", "resetchannels");
    String uri = server.uri().replace("redis://", "redis://deaf:secret@");
    try (RedisNode deaf = new RedisNode(vertx, uri)) {
      assertThatThrownBy(() -> await(deaf.store.ready()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(Scripts.CHANNEL)
          .hasMessageContaining("NOPERM");

      server.command("ACL", "SETUSER", "deaf", "&latchkey:*");
      deaf.ready();
    }
  }

  @Test
  void nodeWithoutTheRightToPublishIsNotReady() {
    server.command("ACL", "SETUSER", "mute", "on", ">secret", "~latchkey:*", "&latchkey:*");
    server.command("ACL", "SETUSER", "mute", "+@all", "-publish");
    String uri = server.uri().replace("redis://", "redis://mute:secret@");
    try (LogRecorder log = new LogRecorder(RedisSubscription.class);
        RedisNode mute = new RedisNode(vertx, uri)) {
      assertThatThrownBy(() -> await(mute.store.ready()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("publish")
          .hasMessageContaining(Scripts.CHANNEL);

      server.command("ACL", "SETUSER", "mute", "+publish");
      mute.ready();
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void eventLoopUsesOneConnectionForAllItsCalls() {
    // Two on any machine. The calls of ready() came from one of these too.
    Vertx two = TestVertx.create(new VertxOptions().setEventLoopPoolSize(2));
    try (RedisServer own = RealServers.startRedis();
        RedisNode node = new RedisNode(two, own.uri()).ready()) {
      deployTwoCallers(two, node);
      assertThat(connectionsThatClaimed(own)).isEqualTo(2);
    } finally {
      two.close().await();
    }
  }

  private static void deployTwoCallers(Vertx vertx, RedisNode node) {
    vertx
        .deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    List<Future<?>> own = new ArrayList<>();
                    for (int i = 0; i < RedisNode.MAX_WAITING_CALLS / 2; i++) {
                      own.add(node.store.claim(Attempt.atNewKey().request()));
                    }
                    return Future.all(own);
                  }
                },
            new DeploymentOptions().setInstances(2))
        .await();
  }

  private static long connectionsThatClaimed(RedisServer server) {
    return ((String) server.command("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.matches(".* cmd=(eval|pexpiretime).*"))
        .count();
  }

  @Test
  void recordLivesAsLongAsItsRetention() {
    Attempt attempt = Attempt.atNewKey();
    node.calls().claimed(attempt);
    assertLife(attempt);
    node.calls().completed(attempt);
    assertLife(attempt);
    Attempt other = Attempt.atNewKey().withRetention(Attempt.LONG_LEASE_MILLIS);
    node.calls().claimed(other);
    node.calls().renew(other.withLease(2 * Attempt.LONG_LEASE_MILLIS));

    assertThat(life(other)).isBetween(Attempt.LONG_LEASE_MILLIS + 1, 2 * Attempt.LONG_LEASE_MILLIS);
  }

  private void assertLife(Attempt attempt) {
    assertThat(life(attempt))
        .isBetween(Attempt.LONG_RETENTION_MILLIS - 60_000, Attempt.LONG_RETENTION_MILLIS);
  }

  private long life(Attempt attempt) {
    return (Long)
        server.command("PTTL", RedisKeys.records(attempt.key().tenant(), attempt.key().key()));
  }

  @Test
  void completedKeyNeedsLittleMoreMemoryThanItsResponse() {
    int bodyBytes = 600;
    StoredResponse typical =
        StoredResponse.of(
            201,
            List.of(
                new Header("Content-Type", "application/json"),
                new Header("Location", "/v1/payments/pay_0123456789abcdef0123456789abcdef")),
            Buffer.buffer("x".repeat(bodyBytes)));
    int keys = 2_000;
    node.calls().claimed(Attempt.atNewKey());
    long before = usedMemory();
    Attempt last = Attempt.atNewKey();
    for (int i = 0; i < keys; i++) {
      last = Attempt.atNewKey();
      node.calls().claimed(last);
      node.calls().complete(last, typical);
    }

    long each = (usedMemory() - before) / keys;
    long own =
        (Long)
            server.command(
                "MEMORY", "USAGE", RedisKeys.records(last.key().tenant(), last.key().key()));
    System.out.printf(
        "A completed key with a body of %d bytes costs Redis %d bytes (MEMORY USAGE: %d)%n",
        bodyBytes, each, own);
    assertThat(own).isBetween((long) bodyBytes, bodyBytes + 700L);
    assertThat(each).isBetween((long) bodyBytes, bodyBytes + 1_000L);
  }

  private long usedMemory() {
    return ((String) server.command("INFO", "memory"))
        .lines()
        .filter(line -> line.startsWith("used_memory_dataset:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .sum();
  }
}
