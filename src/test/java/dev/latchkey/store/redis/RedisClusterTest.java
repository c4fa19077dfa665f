package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.redis.connection.Slots;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster whose slots move and whose nodes die. */
class RedisClusterTest {

  private RedisCluster cluster;
  private RedisServer first;
  private RedisServer second;
  private Vertx vertx;

  @BeforeEach
  void start() {
    cluster = RealServers.startRedisCluster();
    first = cluster.nodes().get(0);
    second = cluster.nodes().get(1);
    vertx = TestVertx.create();
  }

  @AfterEach
  void stop() {
    vertx.close().await();
    cluster.close();
  }

  private static int slot(String tenant) {
    return Slots.of(RedisKeys.records(tenant, "k"));
  }

  /** A tenant on the first node, or on the second. */
  private static String tenantOn(int node) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "tenant " + i)
        .filter(tenant -> slot(tenant) / (Slots.COUNT / 2) == node)
        .findFirst()
        .orElseThrow();
  }

  private static Attempt attempt(String tenant) {
    return Attempt.at(new ScopedKey(tenant, "POST /v1/things", UUID.randomUUID().toString()));
  }

  @Test
  void oneAddressIsEnoughToFindThemAll() {
    try (RedisNode node = new RedisNode(vertx, first.uri()).ready()) {
      for (int i = 0; i < 2; i++) {
        Attempt attempt = attempt(tenantOn(i));
        node.calls().claimed(attempt);
        node.calls().completed(attempt);
      }
    }
  }

  @Test
  void callsFollowASlotThatMoves() {
    String tenant = tenantOn(0);
    String slot = Integer.toString(slot(tenant));
    Attempt known = attempt(tenant);
    Attempt other = attempt(tenant);
    try (RedisNode node = new RedisNode(vertx, first.uri(), second.uri()).ready()) {
      node.calls().claimed(known);
      node.calls().claimed(other);
      second.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(first));
      first.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(second));

      Attempt fresh = attempt(tenant);
      assertThat(node.calls().claimed(fresh).attempt()).isEqualTo(1);
      assertThat(node.calls().renew(known)).isEmpty();
      migrate(known);
      assertThat(node.calls().claim(known.retried())).isInstanceOf(ClaimResult.InFlight.class);
      assertThat(node.calls().renew(fresh)).isEmpty();
      migrate(other);
      second.command("CLUSTER", "SETSLOT", slot, "NODE", id(second));
      first.command("CLUSTER", "SETSLOT", slot, "NODE", id(second));

      node.calls().completed(known);
      node.calls().completed(fresh);
      assertThat(node.calls().renew(other)).isEmpty();
      assertThat(first.command("DBSIZE")).isEqualTo(0L);
    }
  }

  @Test
  void claimsOnBothSidesOfAMoveAreRenewed() {
    String tenant = tenantOn(0);
    String slot = Integer.toString(slot(tenant));
    Attempt gone = attempt(tenant);
    Attempt here = attempt(tenant);
    Attempt lost = attempt(tenant);
    try (RedisNode node = new RedisNode(vertx, first.uri(), second.uri()).ready()) {
      node.calls().claimed(gone);
      node.calls().claimed(here);
      second.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(first));
      first.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(second));
      migrate(gone);

      assertThat(node.calls().renew(gone, here, lost)).containsExactly(lost.token());
    }
  }

  private static String id(RedisServer node) {
    return (String) node.command("CLUSTER", "MYID");
  }

  private void migrate(Attempt attempt) {
    String key = RedisKeys.records(attempt.key().tenant(), attempt.key().key());
    String port = Integer.toString(second.port());
    first.command("MIGRATE", second.host(), port, key, "0", "5000");
  }

  @Test
  void deadNodeAffectsOnlyItsOwnTenants() {
    try (RedisNode node = new RedisNode(vertx, second.uri(), first.uri()).ready()) {
      Attempt here = attempt(tenantOn(0));
      Attempt there = attempt(tenantOn(1));
      second.kill9();

      node.calls().claimed(here);
      assertThatThrownBy(() -> node.calls().claim(there)).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> await(node.store.probe())).isInstanceOf(StoreException.class);
      node.calls().completed(here);

      second.restart();
      cluster.awaitOk();
      assertThat(StoreCalls.eventually(() -> node.store.claim(there.request())))
          .isInstanceOf(ClaimResult.Claimed.class);
    }
  }

  @Test
  void subscriptionMovesWhenItsNodeLeavesTheCluster() {
    try (RedisNode node = new RedisNode(vertx, first.uri(), second.uri()).ready()) {
      boolean onFirst = subscribers(first) > 0;
      RedisServer leaving = onFirst ? first : second;
      RedisServer staying = onFirst ? second : first;
      Attempt attempt = attempt(tenantOn(onFirst ? 1 : 0));
      node.calls().claimed(attempt);
      Promise<Void> gap = nextGap(node);

      leave(leaving, staying, onFirst ? 0 : Slots.COUNT / 2);
      assertThat(node.calls().watch(attempt)).isInstanceOf(KeyState.InProgress.class);

      await(gap.future());
      assertThat(subscribers(staying)).isEqualTo(1);
      try (NotificationLog log = new NotificationLog(node.store)) {
        node.calls().completed(attempt);
        assertThat(log.awaitSettled(attempt.key())).isTrue();
      }
    }
  }

  @Test
  void restartOfAnotherNodeThanThatOfTheSubscriptionReportsAGap() {
    try (RedisNode node = new RedisNode(vertx, first.uri(), second.uri()).ready()) {
      boolean onFirst = subscribers(first) > 0;
      RedisServer other = onFirst ? second : first;
      Attempt attempt = attempt(tenantOn(onFirst ? 1 : 0));
      node.calls().claimed(attempt);
      Promise<Void> gap = nextGap(node);

      other.kill9();
      assertThatThrownBy(() -> node.calls().lookup(attempt)).isInstanceOf(StoreException.class);
      other.restart();

      await(gap.future());
    }
  }

  private static Promise<Void> nextGap(RedisNode node) {
    Promise<Void> gap = Promise.promise();
    node.store.subscribe(
        notification -> {
          if (notification instanceof Notification.Gap) {
            gap.tryComplete();
          }
        });
    return gap;
  }

  private static long subscribers(RedisServer server) {
    return (Long) ((List<?>) server.command("PUBSUB", "NUMSUB", Scripts.CHANNEL)).get(1);
  }

  /** As {@code redis-cli --cluster del-node} does it, the node goes on by itself. */
  private static void leave(RedisServer leaving, RedisServer staying, int firstSlot) {
    staying.command("CLUSTER", "FORGET", id(leaving));
    leaving.command("CLUSTER", "RESET", "SOFT");
    Stream<String> slots =
        IntStream.range(firstSlot, firstSlot + Slots.COUNT / 2).mapToObj(Integer::toString);
    staying.command(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
  }

  @Test
  void clusterWithoutSlotsIsNotReady() {
    try (RedisServer bare = RealServers.startRedis("--cluster-enabled", "yes");
        RedisNode node = new RedisNode(vertx, bare.uri())) {
      assertThatThrownBy(() -> await(node.store.ready()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("slot");
      assertThatThrownBy(() -> await(node.store.probe()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("slot");
    }
  }

  @Test
  void deadSeedIsSkipped() {
    second.kill9();
    try (RedisNode node = new RedisNode(vertx, second.uri(), first.uri())) {
      node.calls().claimed(attempt(tenantOn(0)));
    }
  }
}
