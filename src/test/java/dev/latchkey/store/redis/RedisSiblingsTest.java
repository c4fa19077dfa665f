package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records of several routes under one client key, which share a string. */
class RedisSiblingsTest {

  private static final String KEY = "shared";
  private static final String FIRST = "POST /v1/things";
  private static final String LONGER = "POST /v1/things/:id";
  private static final String LAST = "POST /v1/other";

  private RedisServer server;
  private Vertx vertx;
  private HeldClockFixture fixture;
  private StoreCalls calls;

  @BeforeEach
  void start() {
    server = RealServers.startRedis(RedisFixture.DURABLE);
    vertx = TestVertx.create();
    fixture = new HeldClockFixture(vertx, List.of(server), () -> {});
    calls = new StoreCalls(fixture.store());
  }

  @AfterEach
  void stop() {
    fixture.close();
    vertx.close().await();
    server.close();
  }

  private static Attempt at(String route) {
    return Attempt.at(new ScopedKey("tenant", route, KEY));
  }

  private Attempt claimed(String route) {
    Attempt attempt = at(route);
    calls.claimed(attempt);
    return attempt;
  }

  private List<String> routes() {
    return await(fixture.store().records("tenant", KEY, 10)).stream()
        .map(KeyRecord::key)
        .map(ScopedKey::route)
        .toList();
  }

  @Test
  void recordsOfAKeyChangeIndependently() {
    Attempt first = claimed(FIRST);
    Attempt longer = claimed(LONGER);
    Attempt last = claimed(LAST);

    calls.step(last, "charged", "ch_1");
    calls.completed(longer);
    assertThat(calls.renew(first, last)).isEmpty();
    calls.released(last);
    calls.watch(first);

    assertThat(calls.lookup(first)).isInstanceOf(KeyState.InProgress.class);
    assertThat(calls.lookup(longer)).isInstanceOf(KeyState.Completed.class);
    assertThat(calls.lookup(last)).isInstanceOf(KeyState.Released.class);
    assertThat(calls.claim(longer.retried()))
        .isInstanceOfSatisfying(
            ClaimResult.Completed.class,
            replay -> assertThat(replay.response()).isEqualTo(StoreCalls.CREATED));
    assertThat(calls.claim(first.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);
    assertThat(calls.claimed(last.retried()).steps()).containsKey("charged");
    calls.completed(first);
    assertThat(calls.lookup(longer)).isInstanceOf(KeyState.Completed.class);
    assertThat(routes()).containsExactlyInAnyOrder(FIRST, LONGER, LAST);
  }

  @Test
  void expiredRecordLeavesWithTheNextChangeAndTheOthersStay() {
    Attempt brief = at(FIRST).withRetention(Attempt.LONG_LEASE_MILLIS);
    calls.claimed(brief);
    calls.completed(brief);
    Attempt lasting = claimed(LONGER);
    calls.completed(lasting);
    long both = bytes();
    fixture.advanceMillis(Attempt.LONG_LEASE_MILLIS);
    assertThat(calls.lookup(brief)).isInstanceOf(KeyState.Absent.class);
    assertThat(routes()).containsExactly(LONGER);

    calls.claimed(at(LAST));

    assertThat(bytes()).isLessThan(both);
    assertThat(routes()).containsExactly(LONGER, LAST);
    assertThat(calls.claim(lasting.retried())).isInstanceOf(ClaimResult.Completed.class);
    assertThat(calls.claimed(at(FIRST)).attempt()).isEqualTo(1);
  }

  private long bytes() {
    return (Long) server.command("STRLEN", RedisKeys.records("tenant", KEY));
  }

  @Test
  void keyLivesAsLongAsItsLongestRecord() {
    calls.completed(claimed(FIRST));
    Attempt brief = at(LONGER).withRetention(Attempt.LONG_LEASE_MILLIS);
    calls.claimed(brief);
    calls.completed(brief);

    long life = (Long) server.command("PTTL", RedisKeys.records("tenant", KEY));

    assertThat(life).isGreaterThan(Attempt.LONG_RETENTION_MILLIS - 60_000);
  }

  @Test
  void revokedRecordLeavesTheOthersAndTheLastOneRemovesTheKey() {
    RedisStore store = (RedisStore) fixture.store();
    Attempt first = claimed(FIRST);
    Attempt longer = claimed(LONGER);

    assertThat(await(store.revoke(first.claim()))).isTrue();
    assertThat(routes()).containsExactly(LONGER);
    assertThat(await(store.revoke(longer.claim()))).isTrue();

    assertThat(server.command("EXISTS", RedisKeys.records("tenant", KEY))).isEqualTo(0L);
  }
}
