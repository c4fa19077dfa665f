package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Direction;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notifications of a node whose subscription breaks. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class RedisNotificationsTest {

  private RedisServer server;
  private CuttingProxy proxy;
  private Vertx vertx;
  private RedisNode owner;
  private RedisNode waiter;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    proxy = CuttingProxy.before(server);
    vertx = TestVertx.create();
    owner = new RedisNode(vertx, server.uri()).ready();
    waiter = new RedisNode(vertx, "redis://127.0.0.1:" + proxy.port() + "/0").ready();
  }

  @AfterEach
  void stop() {
    owner.close();
    waiter.close();
    vertx.close().await();
    proxy.close();
    server.close();
  }

  private Promise<Void> nextGap() {
    Promise<Void> gap = Promise.promise();
    waiter.store.subscribe(
        notification -> {
          if (notification instanceof Notification.Gap) {
            gap.tryComplete();
          }
        });
    return gap;
  }

  @Test
  void brokenSubscriptionIsReplacedAndReportsAGap() {
    Promise<Void> gap = nextGap();

    server.command("CLIENT", "KILL", "TYPE", "pubsub");

    await(gap.future());
    NotificationLog.undisturbed(
        waiter.store,
        log -> {
          Attempt attempt = Attempt.atNewKey();
          owner.calls().claimed(attempt);
          assertThat(waiter.calls().watch(attempt)).isInstanceOf(KeyState.InProgress.class);
          owner.calls().completed(attempt);
          assertThat(log.awaitSettled(attempt.key())).isTrue();
        });
  }

  @Test
  void silentSubscriptionIsDetectedWhileACallerWaits() {
    Promise<Void> gap = nextGap();
    Attempt attempt = Attempt.atNewKey();
    owner.calls().claimed(attempt);
    waiter.calls().watch(attempt);

    // Half-open: nothing from the server arrives any more.
    try (LogRecorder log = new LogRecorder(RedisConnections.class)) {
      proxy.swallow(Direction.TO_CLIENT);
      owner.calls().completed(attempt);
      Await.until("the loss is logged", () -> !log.lines().isEmpty());
      assertThat(log.lines().get(0)).contains("no response to a probe");
    }
    proxy.pass();

    await(gap.future());
    assertThat(StoreCalls.eventually(() -> waiter.store.lookup(attempt.key())))
        .isInstanceOf(KeyState.Completed.class);
  }

  @Test
  void revokedRightToSubscribeIsDetectedAndSubscriptionReturnsWithIt() {
    Promise<Void> gap = nextGap();
    try (LogRecorder log = new LogRecorder(RedisConnections.class)) {
      server.command("ACL", "SETUSER", "default", "-subscribe");
      Attempt attempt = Attempt.atNewKey();
      owner.calls().claimed(attempt);
      waiter.calls().watch(attempt);
      Await.until("the loss is logged", () -> !log.lines().isEmpty());
      assertThat(log.lines().get(0)).contains("NOPERM");
    }
    server.command("ACL", "SETUSER", "default", "+subscribe");

    await(gap.future());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-publish", "resetchannels"})
  void completionIsStoredWithoutTheRightToPublish(String right) {
    EffectsInRedis effects = new EffectsInRedis(key -> server);
    RedisStore store = RedisStore.create(owner.connections, effects);
    Attempt attempt = Attempt.atNewKey();
    owner.calls().claimed(attempt);
    waiter.calls().watch(attempt);
    server.command("ACL", "SETUSER", "default", right);

    CompleteResult result =
        await(
            store.complete(
                attempt.claim(), StoreCalls.CREATED, List.of(effects.counts("counter"))));

    assertThat(result).isInstanceOf(CompleteResult.Completed.class);
    assertThat(effects.counted("counter")).isEqualTo(1);
    assertThat(owner.calls().claim(attempt.retried())).isInstanceOf(ClaimResult.Completed.class);
  }

  @Test
  void idleSubscriptionCostsNoCommands() {
    long before = subscribeCalls();
    for (int i = 0; i < 50; i++) {
      Attempt attempt = Attempt.atNewKey();
      owner.calls().claimed(attempt);
      owner.calls().completed(attempt);
    }

    assertThat(subscribeCalls()).isEqualTo(before);
    assertThat(publishCalls()).isZero();
  }

  private long subscribeCalls() {
    return calls("cmdstat_subscribe:");
  }

  private long publishCalls() {
    return calls("cmdstat_publish:");
  }

  private long calls(String command) {
    return ((String) server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith(command))
        .mapToLong(line -> Long.parseLong(line.replaceFirst(".*calls=(\\d+),.*", "$1")))
        .sum();
  }
}
