package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A first use that no script wrote, to the millisecond: by a clock that the test holds, and a key
 * whose expiry the server is told.
 */
class UndatedBoundariesTest {

  private static final String CLOCK = "test:now";
  private static final String LUA = "local now = tonumber(redis.call('GET', '" + CLOCK + "'))\n";
  private static final long LEASE_MILLIS = 10_000;
  private static final long RETENTION_MILLIS = 60_000;

  private final Attempt first =
      Attempt.atNewKey().withLease(LEASE_MILLIS).withRetention(RETENTION_MILLIS);
  private final long expiresAt = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
  private final long createdAt = expiresAt - RETENTION_MILLIS;
  private final long leaseEnd = createdAt + LEASE_MILLIS;
  private RedisServer server;
  private Vertx vertx;
  private RedisConnections connections;
  private RedisStore store;
  private StoreCalls calls;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    assumeTrue(Integer.parseInt(server.version().split("\\.")[0]) >= 7);
    vertx = TestVertx.create();
    connections = RedisConnections.create(vertx, RedisFixture.settings(List.of(server)));
    store = RedisStore.create(connections, RedisEffectKinds.NONE, LUA);
    calls = new StoreCalls(store);
    StoreCalls.eventually(store::ready);
    String name = RedisKeys.records(first.key().tenant(), first.key().key());
    StoreCalls.await(
        connections.command(
            "test",
            "SET",
            name,
            RecordBytes.undated(first.request()),
            "PXAT",
            Long.toString(expiresAt)));
  }

  @AfterEach
  void stop() {
    if (vertx != null) {
      vertx.close().await();
    }
    server.close();
  }

  private void hold(long nowMillis) {
    server.command("SET", CLOCK, Long.toString(nowMillis));
  }

  @Test
  void leaseIsHeldToItsLastMillisecondAndFreeFromItsEndOn() {
    hold(leaseEnd - 1);
    assertThat(calls.claim(first.retried().withMode(Mode.TAKEOVER)))
        .isEqualTo(new ClaimResult.InFlight(1));

    hold(leaseEnd);

    ClaimResult.Claimed next = calls.claimed(first.retried().withMode(Mode.TAKEOVER));
    assertThat(next.attempt()).isEqualTo(2);
    assertThat(next.expiry()).isEqualTo(new Expiry(expiresAt, expiresAt - leaseEnd));
  }

  @Test
  void keyIsKeptToItsLastMillisecondAndFreeFromItsExpiryOn() {
    hold(expiresAt - 1);
    assertThat(calls.lookup(first)).isInstanceOf(KeyState.InProgress.class);
    assertThat(calls.claim(first.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);

    hold(expiresAt);

    assertThat(calls.lookup(first)).isInstanceOf(KeyState.Absent.class);
    assertThat(calls.claimed(first.otherRequest()).attempt()).isEqualTo(1);
  }

  @Test
  void completionSaysWhatTheFirstUseSaid() {
    hold(leaseEnd - 1);

    assertThat(calls.completed(first)).isEqualTo(new Expiry(expiresAt, expiresAt - (leaseEnd - 1)));

    var record = StoreCalls.await(store.records(first.key().tenant(), first.key().key(), 1)).get(0);
    assertThat(record.createdAtEpochMillis()).isEqualTo(createdAt);
    assertThat(record.expiresAtEpochMillis()).isEqualTo(expiresAt);
  }
}
