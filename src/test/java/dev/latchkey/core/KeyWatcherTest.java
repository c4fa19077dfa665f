package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys with another owner: watching, takeover and replay. */
class KeyWatcherTest extends EngineOverStore {

  @Test
  void waiterOnAnotherNodeCostsOneClaimOneWatchAndOneLookup() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 30_000);
    EngineFixture.Client thereToo = b.send("there too", pay, 30_000);
    world.passMillis(EngineFixture.TERMS.leaseMillis() / 4);
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(List.of(there.read(), thereToo.read())).containsOnly("done");
    assertThat(store.calls(StoreOperation.CLAIM)).isEqualTo(2);
    assertThat(store.calls(StoreOperation.WATCH)).isEqualTo(1);
    assertThat(store.calls(StoreOperation.LOOKUP)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_BEFORE", "FAIL_AFTER", "SILENT_BEFORE", "SILENT_AFTER"})
  void failedWatchIsRetried(StoreFault fault) {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    store.script(StoreOperation.WATCH, fault, fault);
    EngineFixture.Client there = b.send("there", pay, 60_000);
    world.passMillis(3 * STORE_TIMEOUT_MILLIS);
    first.complete("done", new Payment("A"));
    world.passMillis(1_000);
    assertThat(there.read()).isEqualTo("done");
  }

  @Test
  void cachedResponseIsReplayedWithoutTheStore() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    first.complete("done", new Payment("A"));
    store.plan((operation, number) -> StoreFault.FAIL_BEFORE);
    assertThat(a.send("replay", pay, 30_000).read()).isEqualTo("done");
    assertThat(a.send("other", EngineFixture.operation("key", "pay 20"), 0).verdict)
        .isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(b.send("elsewhere", pay, 30_000).verdict)
        .isInstanceOf(CallerResponse.StoreUnavailable.class);
    store.reset();
  }

  @Test
  void cachedResponseExpiresWithItsKey() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    first.complete("done", new Payment("A"));
    world.passMillis(EngineFixture.TERMS.retentionMillis() - 1);
    assertThat(a.send("replay", pay, 30_000).read()).isEqualTo("done");
    world.passMillis(1);
    EngineFixture.Client again = a.send("again", EngineFixture.operation("key", "pay 20"), 30_000);
    assertThat(again.runs()).as("any request is a first use again").isTrue();
    again.complete("another");
  }

  @Test
  void takeoverComesAtTheEndOfTheLeaseWithoutPolling() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    a.pause();
    world.passMillis(3_000);
    EngineFixture.Client there = b.send("there", pay, 60_000);
    world.passMillis(EngineFixture.TERMS.leaseMillis() - 3_000 - 1);
    assertThat(store.calls(StoreOperation.WATCH)).isEqualTo(1);
    assertThat(there.runs()).isFalse();
    world.passMillis(10);
    assertThat(there.runs()).isTrue();
    assertThat(store.calls(StoreOperation.WATCH)).isEqualTo(2);
    there.complete("done");
    a.resume();
    first.complete("late");
  }

  @Test
  void onlyWaitersWithAResponseCountAsWoken() {
    AtomicInteger woken = new AtomicInteger();
    EngineFixture.Node c =
        world.newNode(
            "C",
            store,
            new IdempotencyListener() {
              @Override
              public void woken(long wakeNanos) {
                woken.incrementAndGet();
              }
            });
    EngineFixture.Client first = a.send("first", pay, 30_000);
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
    EngineFixture.Client wrong = c.send("wrong", EngineFixture.operation("key", "pay 20"), 30_000);
    EngineFixture.Client right = c.send("right", pay, 30_000);
    store.releaseHeld();
    world.passMillis(10);
    assertThat(wrong.verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(right.isAnswered()).isFalse();
    assertThat(woken).hasValue(0);
    first.complete("done");
    world.passMillis(10);
    assertThat(right.read()).isEqualTo("done");
    assertThat(woken).hasValue(1);
  }

  @Test
  void attemptReleasedDuringATakeoverIsNotExecuted() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 60_000);
    a.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis() - 10);
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
    world.passMillis(20);
    assertThat(store.held()).as("the takeover is under way").isEqualTo(1);
    a.resume();
    first.fail("503");
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(there.runs()).isFalse();
    assertThat(there.verdict).isInstanceOf(CallerResponse.AttemptFailed.class);
  }

  @Test
  void interestIsRegisteredForTheAttemptAfterARelease() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 60_000);
    world.passMillis(10);
    first.fail("503");
    EngineFixture.Client retry = a.send("retry", pay, 30_000);
    assertThat(retry.runs()).isTrue();
    world.passMillis(10);
    assertThat(there.isAnswered()).isFalse();
    retry.complete("done");
    world.passMillis(10);
    assertThat(there.read()).isEqualTo("done");
  }
}
