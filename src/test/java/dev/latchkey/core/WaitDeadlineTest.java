package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.StepResult;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

/** Deadlines of callers, and expiry of what a node knows. */
class WaitDeadlineTest extends EngineOverStore {

  private static final long TICK_MILLIS = 300;

  @Test
  void stepWithoutAResultFailsInTime() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    store.script(StoreOperation.RECORD_STEP, StoreFault.SILENT_BEFORE);
    Future<StepResult> step = first.attempt.recordStep("charge", Buffer.buffer("yes"));
    world.passMillis(STORE_TIMEOUT_MILLIS);
    assertThat(step.failed()).isTrue();
    store.script(StoreOperation.RELEASE, StoreFault.SILENT_BEFORE);
    first.fail("500");
    world.passMillis(STORE_TIMEOUT_MILLIS - TICK_MILLIS);
    assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(true));
  }

  @Test
  void callerGetsAResponseInTimeIfItsEndingNeedsManyCalls() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    store.script(StoreOperation.COMPLETE, StoreFault.HOLD_BEFORE);
    store.script(StoreOperation.LOOKUP, StoreFault.SILENT_BEFORE);
    first.complete("done", new Payment("A"));
    memory.forget();
    world.passMillis(STORE_TIMEOUT_MILLIS - 1_000);
    store.releaseHeld();
    world.passMillis(1_000 + TICK_MILLIS);
    assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(true));
    world.passMillis(STORE_TIMEOUT_MILLIS);
    assertThat(payments).as("it is resolved all the same").containsExactly(new Payment("A"));
  }

  @Test
  void leaseCountsFromTheFirstCopyOfTheClaim() {
    store.script(
        StoreOperation.CLAIM,
        StoreFault.SILENT_AFTER,
        StoreFault.SILENT_BEFORE,
        StoreFault.HOLD_AFTER);
    a.send("first", pay, 30_000);
    world.passMillis(2 * STORE_TIMEOUT_MILLIS + 2 * TICK_MILLIS);
    EngineFixture.Client joined = a.send("joined", pay, 30_000);
    store.releaseHeld();
    world.passMillis(2 * TICK_MILLIS);
    assertThat(joined.runs()).isTrue();
    EngineFixture.Client there = b.send("there", pay, 30_000);
    assertThat(there.runs()).as("the owner lives, and has renewed its lease").isFalse();
    joined.complete("done");
    world.passMillis(10);
    assertThat(there.read()).isEqualTo("done");
  }

  @Test
  void lostClaimIsRetriedAfterASilentStore() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    memory.forget();
    store.script(StoreOperation.CLAIM, StoreFault.SILENT_BEFORE);
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 4 * TICK_MILLIS);
    EngineFixture.Client there = b.send("there", pay, 30_000);
    assertThat(there.runs()).as("the owner lives, and has its claim again").isFalse();
    first.complete("done", new Payment("A"));
    // The restarted store lost the interest: only the lease timer wakes the waiter.
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 1_000);
    assertThat(there.read()).isEqualTo("done");
  }

  @Test
  void requeuedCallerWaitsForTheRestOfItsWait() {
    EngineFixture.Client right = b.send("right", pay, 30_000);
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
    a.send("wrong", EngineFixture.operation("key", "pay 20"), 30_000);
    EngineFixture.Client rightHere = a.send("right here", pay, 6_000);
    world.passMillis(4_000);
    store.releaseHeld();
    world.passMillis(1_900);
    assertThat(rightHere.isAnswered()).isFalse();
    world.passMillis(200);
    assertThat(rightHere.verdict).isInstanceOf(CallerResponse.InProgress.class);
    right.complete("done");
  }

  @Test
  void staleEntryIsReadBeforeAnotherRequestIsRefused() {
    EngineFixture.Client first = a.send("first", brief("pay 10"), 30_000);
    EngineFixture.Client there = b.send("there", brief("pay 10"), 60_000);
    a.pause();
    store.script(StoreOperation.WATCH, StoreFault.SILENT_BEFORE);
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 10);
    EngineFixture.Client other = b.send("other", brief("pay 20"), 30_000);
    assertThat(other.runs()).as("the key is free, any request is a first use").isTrue();
    world.passMillis(10);
    assertThat(there.verdict).isInstanceOf(CallerResponse.AttemptFailed.class);
    other.complete("another", new Payment("B"));
    a.resume();
    first.complete("late", new Payment("A"));
    world.passMillis(1_000);
    assertThat(first.verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(payments).containsExactly(new Payment("B"));
  }

  @Test
  void otherRequestIsRefusedIfTheKeyIsUnchanged() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 60_000);
    a.pause();
    store.script(StoreOperation.WATCH, StoreFault.HOLD_BEFORE);
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 10);
    EngineFixture.Client wrong = b.send("wrong", EngineFixture.operation("key", "pay 20"), 30_000);
    world.passMillis(10);
    assertThat(wrong.verdict).isInstanceOf(CallerResponse.KeyReused.class);
    store.script(StoreOperation.LOOKUP, StoreFault.SILENT_BEFORE);
    EngineFixture.Client unlucky =
        b.send("unlucky", EngineFixture.operation("key", "pay 20"), 30_000);
    world.passMillis(STORE_TIMEOUT_MILLIS);
    assertThat(unlucky.verdict).isEqualTo(new CallerResponse.StoreUnavailable(false));
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(there.runs()).isTrue();
    there.complete("done");
    a.resume();
    first.complete("late");
  }

  @Test
  void longestDurationsDoNotOverflow() {
    long most = Long.MAX_VALUE;
    Operation endless =
        new Operation(
            pay.key(),
            pay.fingerprint(),
            new ClaimPolicy(most, most, most, false, LostOwner.TAKE_OVER));
    EngineFixture.Client first = a.send("first", endless, 30_000);
    EngineFixture.Client there = b.send("there", endless, 86_400_000);
    world.passMillis(3_600_000);
    assertThat(first.isAnswered() || there.runs()).as("%s", world.story).isFalse();
    assertThat(store.calls(StoreOperation.RENEW)).isZero();
    store.script(StoreOperation.COMPLETE, StoreFault.FAIL_BEFORE);
    first.complete("done", new Payment("A"));
    world.passMillis(1_000);
    assertThat(there.read()).isEqualTo("done");
    assertThat(a.send("replay", endless, 0).read()).isEqualTo("done");
  }

  private static Operation brief(String request) {
    Operation operation = EngineFixture.operation("key", request);
    ClaimPolicy terms =
        new ClaimPolicy(
            10_000, 10_000, EngineFixture.TERMS.runLimitMillis(), false, LostOwner.TAKE_OVER);
    return new Operation(operation.key(), operation.fingerprint(), terms);
  }
}
