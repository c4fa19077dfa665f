package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records that cannot be read. */
class RedisDamageTest {

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

  private static Attempt at(String route, String key) {
    return Attempt.at(new ScopedKey("tenant", route, key));
  }

  @Test
  void renewalSkipsAndReportsARecordOfANewerVersion() {
    Attempt first = at("POST /things", "first");
    Attempt newer = at("POST /things", "newer");
    Attempt last = at("POST /things", "last");
    List.of(first, newer, last).forEach(calls::claimed);
    server.command("SETRANGE", RedisKeys.records(newer.key()), "0", "\u0009");
    fixture.advanceMillis(Attempt.LONG_LEASE_MILLIS - 1);

    try (LogRecorder log = new LogRecorder(RedisStore.class)) {
      assertThat(calls.renew(first, newer, last)).containsExactly(newer.token());
      assertThat(log.lines()).singleElement().asString().contains(":key:newer");
    }

    for (Attempt renewed : List.of(first, last)) {
      assertThat(calls.lookup(renewed))
          .isInstanceOfSatisfying(
              KeyState.InProgress.class,
              it -> assertThat(it.leaseLeftMillis()).isEqualTo(Attempt.LONG_LEASE_MILLIS));
    }
  }

  @Test
  void completionNextToADamagedRecordWritesNothing() {
    Attempt attempt = at("POST /things", "key");
    Attempt sibling = at("POST /others", "key");
    calls.claimed(sibling);
    calls.claimed(attempt);
    server.command("APPEND", RedisKeys.records(attempt.key()), "\u0001");
    EffectProbe effects = fixture.effects().orElseThrow();

    assertThatThrownBy(
            () ->
                await(
                    fixture
                        .store()
                        .complete(
                            attempt.claim(),
                            StoreCalls.CREATED,
                            List.of(effects.counts("counter")))))
        .isInstanceOfSatisfying(
            StoreException.class,
            it -> assertThat(it.outcome()).isEqualTo(StoreException.Outcome.NOT_DONE));

    assertThat(effects.counted("counter")).isZero();
  }
}
