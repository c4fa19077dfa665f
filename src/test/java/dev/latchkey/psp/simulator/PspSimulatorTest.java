package dev.latchkey.psp.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.ManualTime;
import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.simulator.SimulatedCharge.Status;
import dev.latchkey.psp.simulator.SimulatorResult.Approved;
import dev.latchkey.psp.simulator.SimulatorResult.Declined;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PspSimulatorTest {
  private final ManualTime time = new ManualTime();
  private final PspSimulator psp =
      new PspSimulator(new Journal(), KeyMemory.of(new MemoryBudget(Long.MAX_VALUE)), time, false);

  private static PspCall.Charge charge(String method, boolean capture) {
    return new PspCall.Charge(1_000, "EUR", method, capture);
  }

  private Future<SimulatorResult> call(String key, PspCall call) {
    return psp.call(key, call);
  }

  private SimulatorResult result(String key, PspCall call) {
    return call(key, call).result();
  }

  private SimulatorResult await(String key, PspCall call) throws Exception {
    return call(key, call).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static void assertStatus(SimulatorResult result, int status) {
    assertThat(result)
        .isInstanceOfSatisfying(
            SimulatorResult.Problem.class, p -> assertThat(p.status()).isEqualTo(status));
  }

  private SimulatedCharge charged(String key, boolean capture) {
    return ((Approved) result(key, charge("pm_card_visa", capture))).charge();
  }

  private SimulatorStats stats() {
    return psp.stats().result();
  }

  @Test
  void idsHave128RandomBits() {
    SimulatedCharge first = charged("k1", true);
    assertThat(first.id()).matches("ch_[0-9a-f]{32}");
    assertThat(charged("k2", true).id()).isNotEqualTo(first.id());
    Approved refund = (Approved) result("r", new PspCall.Refund(first.id(), null, false));
    assertThat(refund.refund().id()).matches("re_[0-9a-f]{32}");
  }

  @Test
  void capturesAtOnceOrLater() {
    assertThat(charged("now", true))
        .returns(Status.CAPTURED, SimulatedCharge::status)
        .returns(1_000L, SimulatedCharge::capturedAmount);
    SimulatedCharge later = charged("later", false);
    assertThat(later.status()).isEqualTo(Status.AUTHORIZED);
    Approved part = (Approved) result("cap", new PspCall.Capture(later.id(), 400L));
    assertThat(part.charge().capturedAmount()).isEqualTo(400);
    assertThat(result("cap2", new PspCall.Capture(later.id(), null)))
        .satisfies(r -> assertStatus(r, 409));
    assertThat(stats()).isEqualTo(new SimulatorStats(2, 2, 0, 0, 0, 1));
  }

  @Test
  void captureBeyondTheAmountIsRefused() {
    SimulatedCharge charge = charged("k", false);
    assertThat(result("c", new PspCall.Capture(charge.id(), 1001L)))
        .satisfies(r -> assertStatus(r, 409));
    assertThat(psp.charge(charge.id()).result()).contains(charge);
  }

  @Test
  void canceledChargeAllowsNoFurtherCall() {
    String id = charged("k", false).id();
    assertThat(result("x", new PspCall.Cancel(id))).isInstanceOf(Approved.class);
    assertThat(result("c", new PspCall.Capture(id, null))).satisfies(r -> assertStatus(r, 409));
    assertThat(result("r", new PspCall.Refund(id, null, false)))
        .satisfies(r -> assertStatus(r, 409));
    assertThat(result("x2", new PspCall.Cancel(id))).satisfies(r -> assertStatus(r, 409));
  }

  @Test
  void refundsAreLimitedToTheCapturedAmount() {
    String id = charged("k", true).id();
    Approved part = (Approved) result("r1", new PspCall.Refund(id, 300L, false));
    assertThat(part.charge().status()).isEqualTo(Status.PARTIALLY_REFUNDED);
    assertThat(result("r2", new PspCall.Refund(id, 701L, false)))
        .satisfies(r -> assertStatus(r, 409));
    Approved rest = (Approved) result("r3", new PspCall.Refund(id, null, false));
    assertThat(rest.refund().amount()).isEqualTo(700);
    assertThat(rest.charge().status()).isEqualTo(Status.REFUNDED);
    assertThat(result("r4", new PspCall.Refund(id, null, false)))
        .satisfies(r -> assertStatus(r, 409));
  }

  @Test
  void repeatedKeyGetsTheSameResult() {
    SimulatorResult first = result("k", charge("pm_card_visa", true));
    assertThat(result("k", charge("pm_card_visa", true))).isEqualTo(first);
    SimulatorResult declined = result("d", charge("pm_card_declined", true));
    assertThat(result("d", charge("pm_card_declined", true))).isEqualTo(declined);
    assertThat(stats()).isEqualTo(new SimulatorStats(1, 1, 0, 1, 2, 1));
  }

  @Test
  void refusalIsFinalAfterTheStateChanged() {
    String id = charged("k", true).id();
    PspCall.Refund tooMuch = new PspCall.Refund(id, 1001L, false);
    SimulatorResult refused = result("r", tooMuch);
    result("r2", new PspCall.Refund(id, 1L, false));
    assertThat(result("r", tooMuch)).isEqualTo(refused).satisfies(r -> assertStatus(r, 409));
  }

  @Test
  void keyWithAnotherCallGets422() {
    String id = charged("k", true).id();
    assertThat(result("k", charge("pm_card_visa", false))).satisfies(r -> assertStatus(r, 422));
    assertThat(result("k", new PspCall.Cancel(id))).satisfies(r -> assertStatus(r, 422));
    result("r", new PspCall.Refund(id, null, false));
    assertThat(result("r", new PspCall.Refund(id, 1000L, false)))
        .satisfies(r -> assertStatus(r, 422));
    assertThat(stats().duplicatesSuppressed()).isZero();
  }

  @Test
  void slowChargeTakesEffectAtItsEndAndDuplicatesWait() {
    Future<SimulatorResult> first = call("k", charge("pm_slow_500", true));
    Future<SimulatorResult> duplicate = call("k", charge("pm_slow_500", true));
    assertThat(call("k", charge("pm_slow_501", true)).result())
        .satisfies(r -> assertStatus(r, 422));
    time.advance(499);
    assertThat(first.isComplete() || duplicate.isComplete()).isFalse();
    assertThat(psp.chargesOf("k").result()).isEmpty();
    time.advance(1);
    assertThat(first.result()).isInstanceOf(Approved.class).isEqualTo(duplicate.result());
    assertThat(psp.chargesOf("k").result()).hasSize(1);
    assertThat(stats()).isEqualTo(new SimulatorStats(1, 1, 0, 0, 1, 1));
  }

  @ParameterizedTest
  @CsvSource({"pm_card_declined,generic_decline", "pm_card_insufficient_funds,insufficient_funds"})
  void declineIsFinal(String method, String code) {
    assertThat(result("k", charge(method, true))).isEqualTo(new Declined(code));
    assertThat(psp.chargesOf("k").result()).isEmpty();
  }

  @Test
  void unavailableMethodChangesNothing() {
    for (int i = 0; i < 3; i++) {
      assertThat(result("k", charge("pm_psp_unavailable", true)))
          .satisfies(r -> assertStatus(r, 503));
    }
    assertThat(stats()).isEqualTo(new SimulatorStats(0, 0, 0, 0, 0, 0));
  }

  @Test
  void flakyMethodIsApprovedTheSecondTime() {
    assertThat(result("k", charge("pm_psp_flaky", true))).satisfies(r -> assertStatus(r, 503));
    assertThat(result("k", charge("pm_card_visa", true))).satisfies(r -> assertStatus(r, 422));
    assertThat(result("k", charge("pm_psp_flaky", true))).isInstanceOf(Approved.class);
    assertThat(stats()).isEqualTo(new SimulatorStats(1, 1, 0, 0, 0, 1));
  }

  @Test
  void lostReplyChargesOnce() {
    assertThat(result("k", charge("pm_psp_lost_reply", true)))
        .isInstanceOf(SimulatorResult.ResponseLost.class);
    assertThat(result("k", charge("pm_psp_lost_reply", true))).isInstanceOf(Approved.class);
    assertThat(stats()).isEqualTo(new SimulatorStats(1, 1, 0, 0, 1, 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 100_000_000_000L, Long.MIN_VALUE})
  void amountOutOfBoundsGets400AndUsesNoKey(long amount) {
    assertThat(result("k", new PspCall.Charge(amount, "EUR", "pm_card_visa", true)))
        .satisfies(r -> assertStatus(r, 400));
    assertThat(charged("k", true).amount()).isEqualTo(1_000);
  }

  @Test
  void unknownMethodCurrencyAndChargeAreRejected() {
    assertThat(result("k", charge("pm_unknown", true))).satisfies(r -> assertStatus(r, 400));
    assertThat(result("k", new PspCall.Charge(1, "eur", "pm_card_visa", true)))
        .satisfies(r -> assertStatus(r, 400));
    assertThat(result("k", new PspCall.Cancel("ch_none"))).satisfies(r -> assertStatus(r, 404));
    assertThat(psp.call(null, new PspCall.Cancel("ch_none")).result())
        .satisfies(r -> assertStatus(r, 400));
  }

  @Test
  void concurrentRefundsNeverExceedTheCapturedAmount() throws Exception {
    String id = charged("k", true).id();
    List<Callable<SimulatorResult>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      String key = "r" + i;
      calls.add(() -> await(key, new PspCall.Refund(id, 90L, false)));
    }
    List<SimulatorResult> results = together(calls);
    assertThat(results).filteredOn(a -> a instanceof Approved).hasSize(11);
    assertThat(results).filteredOn(a -> a instanceof SimulatorResult.Problem).hasSize(39);
    assertThat(psp.charge(id).result().orElseThrow().refundedAmount()).isEqualTo(990);
  }

  @Test
  void concurrentCallsWithOneKeyMakeOneCharge() throws Exception {
    List<Callable<SimulatorResult>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(() -> await("k", charge("pm_card_visa", true)));
    }
    assertThat(together(calls)).containsOnly(result("k", charge("pm_card_visa", true)));
    assertThat(stats()).isEqualTo(new SimulatorStats(1, 1, 0, 0, 50, 1));
  }

  @Test
  void captureAndCancelRaceHasOneWinner() throws Exception {
    for (int round = 0; round < 200; round++) {
      String id = charged("k" + round, false).id();
      String key = "op" + round;
      List<SimulatorResult> results =
          together(
              List.of(
                  () -> await(key + "a", new PspCall.Capture(id, null)),
                  () -> await(key + "b", new PspCall.Cancel(id))));
      assertThat(results).filteredOn(a -> a instanceof Approved).hasSize(1);
      Status status = psp.charge(id).result().orElseThrow().status();
      assertThat(status)
          .isEqualTo(results.get(0) instanceof Approved ? Status.CAPTURED : Status.CANCELED);
    }
  }

  @Test
  void newKeysGet503SoonAfterTheBudgetIsSpent() {
    MemoryBudget budget = new MemoryBudget(1);
    PspSimulator small = new PspSimulator(new Journal(), new KeyMemory(budget, 5_000), time, false);
    budget.add(1);
    int taken = 0;
    while (small.call("k" + taken, charge("pm_card_visa", true)).result() instanceof Approved) {
      taken++;
    }
    assertThat(taken).isBetween(1, 10);
    assertThat(small.call("k0", charge("pm_card_visa", true)).result())
        .isInstanceOf(Approved.class);
    assertThat(budget.usedBytes()).isGreaterThan(taken * 500L);
  }

  private static <T> List<T> together(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<T> results = new ArrayList<>();
      for (java.util.concurrent.Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
