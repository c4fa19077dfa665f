package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine over a store that fails, is silent, replies late or loses records. */
class StoreFailureTest extends EngineOverStore {

  @Test
  void requestWithoutDuplicatesCostsOneClaimAndOneCompletion() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client duplicate = a.send("duplicate", pay, 30_000);
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(duplicate.read()).isEqualTo("done");
    assertThat(a.send("replay", pay, 30_000).read()).isEqualTo("done");
    assertThat(store.calls(StoreOperation.CLAIM)).isEqualTo(1);
    assertThat(store.calls(StoreOperation.COMPLETE)).isEqualTo(1);
    assertThat(store.keyCalls()).isEqualTo(2);
  }

  @Test
  void nothingRunsWithoutTheStore() {
    store.script(StoreOperation.CLAIM, StoreFault.FAIL_BEFORE);
    EngineFixture.Client first = a.send("first", pay, 30_000);
    assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(false));
    assertThat(first.runs()).isFalse();
    EngineFixture.Client retry = a.send("retry", pay, 30_000);
    assertThat(retry.runs()).isTrue();
    retry.complete("done");
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_AFTER", "SILENT_AFTER", "SILENT_BEFORE"})
  void claimWithALostResponseIsRetriedAndRunsOnce(StoreFault fault) {
    store.script(StoreOperation.CLAIM, fault);
    EngineFixture.Client first = a.send("first", pay, 30_000);
    world.passMillis(2 * STORE_TIMEOUT_MILLIS);
    EngineFixture.Client retry = a.send("retry", pay, 30_000);
    world.passMillis(100);
    EngineFixture.Client runner = first.runs() ? first : retry;
    assertThat(runner.runs()).isTrue();
    runner.complete("done", new Payment("A"));
    world.passMillis(100);
    assertThat(retry.read()).isEqualTo("done");
    assertThat(payments).hasSize(1);
  }

  @Test
  void silentStoreTimesOutAndTheOrphanedClaimIsReleased() {
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_AFTER, StoreFault.SILENT_BEFORE);
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client other = a.send("other", EngineFixture.operation("key", "pay 20"), 30_000);
    EngineFixture.Client joined = a.send("joined", pay, 30_000);
    world.passMillis(STORE_TIMEOUT_MILLIS + 500);
    assertThat(List.of(first.verdict, other.verdict, joined.verdict))
        .as("nobody was refused on the word of whoever came first")
        .containsOnly(new CallerResponse.StoreUnavailable(false));
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(first.runs()).isFalse();
    assertThat(store.calls(StoreOperation.RELEASE)).isEqualTo(1);
    EngineFixture.Client elsewhere = b.send("elsewhere", pay, 30_000);
    assertThat(elsewhere.runs()).as("the ghost does not keep the key").isTrue();
    elsewhere.complete("done");
  }

  @Test
  void remainingWaiterExecutesUnderAnOrphanedClaim() {
    store.script(StoreOperation.CLAIM, StoreFault.SILENT_AFTER, StoreFault.HOLD_AFTER);
    EngineFixture.Client first = a.send("first", pay, 30_000);
    world.passMillis(STORE_TIMEOUT_MILLIS + 500);
    EngineFixture.Client joined = a.send("joined", pay, 30_000);
    store.releaseHeld();
    world.passMillis(10);
    assertThat(first.runs()).isFalse();
    assertThat(joined.runs()).isTrue();
    joined.complete("done", new Payment("A"));
    assertThat(payments).hasSize(1);
  }

  @Test
  void otherRequestIsNotRefusedBeforeTheClaimIsGranted() {
    Operation other = EngineFixture.operation("key", "pay 20");
    EngineFixture.Client right = b.send("right", pay, 30_000);
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
    EngineFixture.Client wrong = a.send("wrong", other, 30_000);
    EngineFixture.Client rightHere = a.send("right here", pay, 30_000);
    assertThat(rightHere.isAnswered()).isFalse();
    store.releaseHeld();
    world.passMillis(10);
    assertThat(wrong.verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(rightHere.isAnswered()).isFalse();
    right.complete("done");
    world.passMillis(10);
    assertThat(rightHere.read()).isEqualTo("done");
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_AFTER", "FAIL_BEFORE", "SILENT_AFTER", "SILENT_BEFORE"})
  void completionWithALostResponseIsRetriedAndTakesEffectOnce(StoreFault fault) {
    store.script(StoreOperation.COMPLETE, fault);
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client here = a.send("here", pay, 30_000);
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(first.isAnswered()).as("nothing leaves before it is stored").isFalse();
    world.passMillis(STORE_TIMEOUT_MILLIS + 500);
    boolean silent = fault.name().startsWith("SILENT");
    if (silent) {
      assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(true));
    } else {
      assertThat(first.read()).isEqualTo("done");
    }
    world.passMillis(1_000);
    assertThat(here.read()).as("waiters stay, and get it").isEqualTo("done");
    assertThat(payments).containsExactly(new Payment("A"));
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_AFTER", "FAIL_BEFORE", "SILENT_AFTER", "SILENT_BEFORE"})
  void releaseWithALostResponseIsRetried(StoreFault fault) {
    store.script(StoreOperation.RELEASE, fault);
    EngineFixture.Client first = a.send("first", pay, 30_000);
    first.fail("503");
    world.passMillis(1);
    assertThat(first.isAnswered()).as("the key is released before the answer leaves").isFalse();
    world.passMillis(2 * STORE_TIMEOUT_MILLIS);
    assertThat(first.isAnswered()).isTrue();
    EngineFixture.Client retry = b.send("retry", pay, 30_000);
    assertThat(retry.runs()).isTrue();
    assertThat(retry.attempt.number()).isEqualTo(2);
    retry.complete("done");
  }

  @Test
  void lostRecordIsClaimedAgainAndCompletedWithoutASecondExecution() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client here = a.send("here", pay, 30_000);
    memory.forget();
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(first.read()).isEqualTo("done");
    assertThat(here.read()).isEqualTo("done");
    assertThat(here.runs()).isFalse();
    assertThat(payments).containsExactly(new Payment("A"));
  }

  @Test
  void lostRecordIsClaimedAgainOnceAFullStoreHasRoom() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    storeIsFull = true;
    memory.forget();
    first.complete("done", new Payment("A"));
    world.passMillis(1_000);
    assertThat(first.isAnswered()).isFalse();
    storeIsFull = false;
    memory.forget();
    world.passMillis(2_000);
    assertThat(first.read()).isEqualTo("done");
    assertThat(payments).containsExactly(new Payment("A"));
  }

  @Test
  void renewalRegainsAClaimThatTheStoreLost() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    memory.forget();
    world.passMillis(EngineFixture.TERMS.leaseMillis());
    EngineFixture.Client there = b.send("there", pay, 30_000);
    assertThat(there.runs()).isFalse();
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(there.read()).isEqualTo("done");
    assertThat(payments).hasSize(1);
  }

  @Test
  void waiterOnAnotherNodeIsNotifiedOfAnAttemptThatClaimedAgain() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 30_000);
    memory.forget();
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(there.read()).isEqualTo("done");
    assertThat(payments).hasSize(1);
  }

  @Test
  void responseOfAnotherRequestUnderALostKeyIsNotShown() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    memory.forget();
    EngineFixture.Client other = b.send("other", EngineFixture.operation("key", "pay 20"), 30_000);
    assertThat(other.runs()).isTrue();
    first.complete("mine", new Payment("A"));
    world.passMillis(10);
    assertThat(first.verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(first.resultDiscarded).isTrue();
    other.complete("theirs", new Payment("B"));
    assertThat(payments).containsExactly(new Payment("B"));
    assertThat(other.resultDiscarded).isFalse();
  }

  @Test
  void failedAttemptWhoseKeyAnotherRequestTookIsDiscarded() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    memory.forget();
    EngineFixture.Client other = b.send("other", EngineFixture.operation("key", "pay 20"), 30_000);
    first.fail("503, the PSP was silent");
    world.passMillis(10);
    assertThat(first.verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(first.resultDiscarded).isTrue();
    other.complete("theirs");
  }

  @Test
  void discardIsReportedAfterAnEarlierResponse() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    memory.forget();
    EngineFixture.Client other = b.send("other", EngineFixture.operation("key", "pay 20"), 30_000);
    store.script(StoreOperation.COMPLETE, StoreFault.SILENT_BEFORE);
    first.complete("mine", new Payment("A"));
    world.passMillis(2 * STORE_TIMEOUT_MILLIS);
    assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(true));
    assertThat(first.resultDiscarded).isTrue();
    other.complete("theirs");
  }

  @Test
  void supersededOwnerIsDiscardedWhenAnotherRequestTakesTheKey() {
    EngineFixture.Client first = a.send("first", pay, 60_000);
    a.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis());
    EngineFixture.Client second = b.send("second", pay, 30_000);
    a.resume();
    first.complete("A's answer", new Payment("A"));
    world.passMillis(10);
    b.pause();
    memory.forget();
    EngineFixture.Node c = world.newNode("C", store);
    EngineFixture.Client other = c.send("other", EngineFixture.operation("key", "pay 20"), 30_000);
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 1_000);
    assertThat(first.verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(first.resultDiscarded).isTrue();

    b.resume();
    second.complete("B's answer", new Payment("B"));
    world.passMillis(10);
    assertThat(second.resultDiscarded).isTrue();
    other.complete("theirs", new Payment("C"));
    assertThat(payments).containsExactly(new Payment("C"));
  }

  @Test
  void refusedEffectGetsAnotherResponseUnderTheSameClaim() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    refusal = Optional.of(new EffectRefused("payment", "taken"));
    first.complete("done", new Payment("A"));
    assertThat(first.isAnswered()).isFalse();
    assertThat(payments).isEmpty();
    refusal = Optional.empty();
    first.complete("otherwise", new Payment("A2"));
    assertThat(first.read()).isEqualTo("otherwise");
    assertThat(payments).containsExactly(new Payment("A2"));
    assertThat(store.calls(StoreOperation.CLAIM)).isEqualTo(1);
  }

  @Test
  void ownerWithoutALeaseGetsAResponseAtTheRunLimit() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    a.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 10);
    EngineFixture.Client there = b.send("there", pay, 30_000);
    assertThat(there.runs()).isTrue();
    a.resume();
    world.passMillis(EngineFixture.TERMS.leaseMillis());
    there.complete("done", new Payment("B"));
    world.passMillis(EngineFixture.TERMS.runLimitMillis());
    assertThat(first.verdict).isInstanceOf(CallerResponse.RunLimitExceeded.class);
    first.complete("late", new Payment("late"));
    world.passMillis(1_000);
    assertThat(first.answers).isEqualTo(1);
    assertThat(payments).containsExactly(new Payment("B"));
  }

  @Test
  void attemptThatMayHaveExpiredCompletedIsNotCompletedAgain() {
    ClaimPolicy brief = new ClaimPolicy(10_000, 10_000, 300_000, false, LostOwner.TAKE_OVER);
    Operation soonFree = new Operation(pay.key(), pay.fingerprint(), brief);
    EngineFixture.Client first = a.send("first", soonFree, 30_000);
    world.passMillis(9_000);
    store.script(StoreOperation.COMPLETE, StoreFault.SILENT_AFTER);
    first.complete("done", new Payment("A"));
    world.passMillis(2 * STORE_TIMEOUT_MILLIS);
    assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(true));
    assertThat(payments).containsExactly(new Payment("A"));
  }

  @Test
  void secondGrantOfALostClaimChangesNothing() {
    ClaimPolicy brief = new ClaimPolicy(3_000, 3_000, 300_000, false, LostOwner.TAKE_OVER);
    Operation soonFree = new Operation(pay.key(), pay.fingerprint(), brief);
    EngineFixture.Client first = a.send("first", soonFree, 30_000);
    memory.forget();
    store.script(StoreOperation.LOOKUP, StoreFault.HOLD_AFTER);
    first.complete("done", new Payment("A"));
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_AFTER);
    world.passMillis(STORE_TIMEOUT_MILLIS + 500);
    assertThat(store.held()).as("a read and the claim after a second read").isEqualTo(2);
    store.script(StoreOperation.COMPLETE, StoreFault.SILENT_AFTER);
    store.releaseHeld();
    assertThat(payments).hasSize(1);
    world.passMillis(3 * STORE_TIMEOUT_MILLIS);
    assertThat(payments).as("completed, expired, not written again").hasSize(1);
  }

  @Test
  void completionIsNotRepeatedIfTheStoresClockMayBeAhead() {
    ClaimPolicy brief = new ClaimPolicy(10_100, 10_100, 300_000, false, LostOwner.TAKE_OVER);
    Operation soonFree = new Operation(pay.key(), pay.fingerprint(), brief);
    EngineFixture.Client first = a.send("first", soonFree, 30_000);
    world.passMillis(4_950);
    store.script(StoreOperation.COMPLETE, StoreFault.SILENT_AFTER);
    first.complete("done", new Payment("A"));
    world.passMillis(STORE_TIMEOUT_MILLIS);
    assertThat(payments).hasSize(1);
    // The key expires a tenth of a second early by this node's clock.
    memory.forget();
    world.passMillis(STORE_TIMEOUT_MILLIS);
    assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(true));
    assertThat(payments).containsExactly(new Payment("A"));
  }

  @Test
  void attemptThatMayHaveExpiredCompletedIsNotDiscarded() {
    ClaimPolicy brief = new ClaimPolicy(10_000, 10_000, 300_000, false, LostOwner.TAKE_OVER);
    Operation soonFree = new Operation(pay.key(), pay.fingerprint(), brief);
    EngineFixture.Client first = a.send("first", soonFree, 30_000);
    world.passMillis(9_000);
    store.script(StoreOperation.COMPLETE, StoreFault.SILENT_AFTER);
    first.complete("done", new Payment("A"));
    world.passMillis(2_000);
    EngineFixture.Client other = b.send("other", EngineFixture.operation("key", "pay 20"), 30_000);
    assertThat(other.runs()).isTrue();
    world.passMillis(2 * STORE_TIMEOUT_MILLIS);
    assertThat(first.isAnswered()).isTrue();
    assertThat(first.resultDiscarded).isFalse();
    assertThat(payments).containsExactly(new Payment("A"));
    other.complete("theirs");
  }

  @Test
  void endingAfterTheResolvingTimeOfItsClaimIsStillResolved() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    world.passMillis(3 * EngineFixture.TERMS.runLimitMillis());
    store.script(StoreOperation.COMPLETE, StoreFault.FAIL_BEFORE);
    first.complete("late", new Payment("A"));
    world.passMillis(1_000);
    assertThat(payments).containsExactly(new Payment("A"));
  }

  @Test
  void claimCopyGrantedAfterTheEndIsReleased() {
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
    EngineFixture.Client first = a.send("first", pay, 30_000);
    world.passMillis(STORE_TIMEOUT_MILLIS + 500);
    assertThat(first.verdict).isEqualTo(new CallerResponse.StoreUnavailable(false));
    EngineFixture.Client second = b.send("second", pay, 30_000);
    second.fail("503");
    store.script(StoreOperation.RELEASE, StoreFault.FAIL_BEFORE, StoreFault.SILENT_BEFORE);
    store.releaseHeld();
    world.passMillis(STORE_TIMEOUT_MILLIS);
    world.passMillis(1_000);
    EngineFixture.Client third = b.send("third", pay, 30_000);
    assertThat(third.runs()).as("no ghost keeps the key").isTrue();
    third.complete("done");
  }

  @Test
  void secondEndingDoesNotChangeAnEndedAttempt() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    store.script(StoreOperation.COMPLETE, StoreFault.FAIL_BEFORE);
    first.complete("done", new Payment("A"));
    assertThatThrownBy(() -> first.complete("other", new Payment("B")))
        .isInstanceOf(IllegalStateException.class);
    world.passMillis(1_000);
    assertThat(payments).containsExactly(new Payment("A"));
  }
}
