package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.Test;

/** A revoked claim is removed as if its key had never been claimed. */
class RedisRevokeTest {

  private final Vertx vertx = TestVertx.create();

  @Test
  void revokedClaimLeavesNothingAndNotifiesWaiters() {
    try (RedisServer server = RealServers.startRedis();
        RedisFixture fixture = new RedisFixture(vertx, server)) {
      NotificationLog.undisturbed(() -> assertRevocable(fixture));
    } finally {
      vertx.close().await();
    }
  }

  private static void assertRevocable(RedisFixture fixture) {
    ClaimStore claims = fixture.claimStores().get(0);
    StoreCalls store = new StoreCalls(claims);
    Attempt owner = Attempt.atNewKey();
    ScopedKey key = owner.key();
    Attempt sibling = Attempt.at(new ScopedKey(key.tenant(), "POST /sibling", key.key()));
    store.claimed(owner);
    store.step(owner, "charge", "ch_1");
    store.claimed(sibling);
    try (NotificationLog log = new NotificationLog(fixture.otherNode())) {
      new StoreCalls(fixture.otherNode()).watch(owner);

      assertThat(await(claims.revoke(owner.retried().claim()))).isFalse();
      assertThat(store.lookup(owner)).isInstanceOf(KeyState.InProgress.class);
      assertThat(await(claims.revoke(owner.claim()))).isTrue();

      assertThat(log.awaitSettled(key)).isTrue();
    }
    assertThat(await(claims.revoke(owner.claim()))).isFalse();
    assertThat(store.lookup(owner)).isInstanceOf(KeyState.Absent.class);
    assertThat(store.lookup(sibling)).isInstanceOf(KeyState.InProgress.class);
    Attempt other = owner.otherRequest();
    assertThat(store.claimed(other).steps()).isEmpty();
    store.completed(other);
    assertThat(await(claims.revoke(other.claim()))).isFalse();
    assertThat(store.lookup(other)).isInstanceOf(KeyState.Completed.class);
  }
}
