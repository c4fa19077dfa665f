package dev.latchkey.store;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CountingStoreTest {

  private final MemoryStore real = MemoryStore.create(new MemoryBudget(1 << 20), EffectTarget.NONE);
  private final CountingStore store = new CountingStore(real);
  private final Attempt attempt = Attempt.atNewKey();

  @Test
  void countsCallsByOperation() {
    StoreCalls calls = new StoreCalls(store);
    calls.claimed(attempt);
    calls.claim(attempt.retried());
    calls.completed(attempt);
    await(store.probe());

    assertThat(store.calls(StoreOperation.CLAIM)).isEqualTo(2);
    assertThat(store.calls(StoreOperation.COMPLETE)).isEqualTo(1);
    assertThat(store.calls(StoreOperation.RELEASE)).isZero();
    assertThat(store.keyCalls()).isEqualTo(3);
    store.reset();
    assertThat(store.keyCalls()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_BEFORE", "SILENT_BEFORE", "HOLD_BEFORE"})
  void faultBeforeLeavesTheStoreUntouched(StoreFault fault) {
    store.script(StoreOperation.CLAIM, fault);

    Future<ClaimResult> claim = store.claim(attempt.request());

    assertThat(claim.succeeded()).isFalse();
    assertThat(claim.failed()).isEqualTo(fault == StoreFault.FAIL_BEFORE);
    assertThat(await(real.lookup(attempt.key()))).isInstanceOf(KeyState.Absent.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_AFTER", "SILENT_AFTER", "HOLD_AFTER"})
  void faultAfterLosesTheAnswerAlone(StoreFault fault) {
    store.script(StoreOperation.CLAIM, fault);

    Future<ClaimResult> claim = store.claim(attempt.request());

    assertThat(claim.succeeded()).isFalse();
    assertThat(claim.failed()).isEqualTo(fault == StoreFault.FAIL_AFTER);
    assertThat(await(real.lookup(attempt.key()))).isInstanceOf(KeyState.InProgress.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_BEFORE", "FAIL_AFTER"})
  void failureSaysWhetherTheCallTookEffect(StoreFault fault) {
    store.script(StoreOperation.PROBE, fault);

    assertThatThrownBy(() -> await(store.probe()))
        .isInstanceOfSatisfying(
            StoreException.class,
            failure ->
                assertThat(failure.outcome())
                    .isEqualTo(
                        fault == StoreFault.FAIL_BEFORE ? Outcome.NOT_DONE : Outcome.UNKNOWN));
  }

  @ParameterizedTest
  @EnumSource(names = {"HOLD_BEFORE", "HOLD_AFTER"})
  void heldCallIsAnsweredWhenTold(StoreFault fault) {
    store.script(StoreOperation.CLAIM, fault);
    Future<ClaimResult> claim = store.claim(attempt.request());
    assertThat(claim.isComplete()).isFalse();
    assertThat(store.held()).isEqualTo(1);

    assertThat(store.releaseHeld()).isEqualTo(1);

    assertThat(claim.result()).isInstanceOf(ClaimResult.Claimed.class);
    assertThat(store.held()).isZero();
    assertThat(store.releaseHeld()).isZero();
  }

  @Test
  void scriptGoesBeforeThePlanAndInOrder() {
    store.plan((operation, number) -> StoreFault.FAIL_AFTER);
    store.script(StoreOperation.PROBE, StoreFault.NONE, StoreFault.FAIL_BEFORE);

    assertThat(store.probe().succeeded()).isTrue();
    assertThat(((StoreException) store.probe().cause()).outcome()).isEqualTo(Outcome.NOT_DONE);
    assertThat(((StoreException) store.probe().cause()).outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void seededPlanRepeatsItself() {
    assertThat(faults(7)).isEqualTo(faults(7)).isNotEqualTo(faults(8));
    assertThat(faults(7)).contains(StoreFault.NONE, StoreFault.FAIL_BEFORE, StoreFault.FAIL_AFTER);
  }

  private static List<StoreFault> faults(long seed) {
    FaultPlan plan =
        FaultPlan.seeded(
            seed,
            0.5,
            Set.of(StoreOperation.CLAIM),
            List.of(StoreFault.FAIL_BEFORE, StoreFault.FAIL_AFTER));
    List<StoreFault> faults = new ArrayList<>();
    for (int number = 1; number <= 100; number++) {
      faults.add(plan.next(StoreOperation.CLAIM, number));
      assertThat(plan.next(StoreOperation.LOOKUP, number)).isEqualTo(StoreFault.NONE);
    }
    return faults;
  }
}
