package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.PspAnswer.Approved;
import dev.latchkey.psp.PspAnswer.Declined;
import dev.latchkey.psp.PspAnswer.Invalid;
import dev.latchkey.psp.PspAnswer.KeyReused;
import dev.latchkey.psp.PspAnswer.NotFound;
import dev.latchkey.psp.PspAnswer.Refused;
import dev.latchkey.psp.PspAnswer.ReplyLost;
import dev.latchkey.psp.PspAnswer.Unavailable;
import dev.latchkey.psp.SimulatedCharge.Status;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PspSimulatorTest {
  private final ManualTime time = new ManualTime();
  private final PspSimulator psp = PspSimulator.inMemory(new MemoryBudget(Long.MAX_VALUE), time);

  private static PspCall.Charge charge(String method, boolean capture) {
    return new PspCall.Charge(1_000, "EUR", method, capture);
  }

  private Future<PspAnswer> call(String key, PspCall call) {
    return psp.call(Optional.of(key), call);
  }

  private PspAnswer answer(String key, PspCall call) {
    return call(key, call).result();
  }

  private SimulatedCharge charged(String key, boolean capture) {
    return ((Approved) answer(key, charge("pm_card_visa", capture))).charge();
  }

  private PspStats stats() {
    return psp.stats().result();
  }

  @Test
  void idsCarry128BitsAndDiffer() {
    SimulatedCharge first = charged("k1", true);
    assertThat(first.id()).matches("ch_[0-9a-f]{32}");
    assertThat(charged("k2", true).id()).isNotEqualTo(first.id());
    Approved refund =
        (Approved) answer("r", new PspCall.Refund(first.id(), OptionalLong.empty(), false));
    assertThat(refund.refund().orElseThrow().id()).matches("re_[0-9a-f]{32}");
  }

  @Test
  void capturesAtOnceOrLater() {
    assertThat(charged("now", true))
        .returns(Status.CAPTURED, SimulatedCharge::status)
        .returns(1_000L, SimulatedCharge::capturedAmount);
    SimulatedCharge later = charged("later", false);
    assertThat(later.status()).isEqualTo(Status.AUTHORIZED);
    Approved part = (Approved) answer("cap", new PspCall.Capture(later.id(), OptionalLong.of(400)));
    assertThat(part.charge().capturedAmount()).isEqualTo(400);
    assertThat(answer("cap2", new PspCall.Capture(later.id(), OptionalLong.empty())))
        .isInstanceOf(Refused.class);
    assertThat(stats()).isEqualTo(new PspStats(2, 2, 0, 0, 0, 1));
  }

  @Test
  void captureBeyondTheAmountIsRefused() {
    SimulatedCharge charge = charged("k", false);
    assertThat(answer("c", new PspCall.Capture(charge.id(), OptionalLong.of(1_001))))
        .isInstanceOf(Refused.class);
    assertThat(psp.charge(charge.id()).result()).contains(charge);
  }

  @Test
  void aCanceledChargeTakesNothingMore() {
    String id = charged("k", false).id();
    assertThat(answer("x", new PspCall.Cancel(id))).isInstanceOf(Approved.class);
    assertThat(answer("c", new PspCall.Capture(id, OptionalLong.empty())))
        .isInstanceOf(Refused.class);
    assertThat(answer("r", new PspCall.Refund(id, OptionalLong.empty(), false)))
        .isInstanceOf(Refused.class);
    assertThat(answer("x2", new PspCall.Cancel(id))).isInstanceOf(Refused.class);
  }

  @Test
  void refundsUpToWhatWasCaptured() {
    String id = charged("k", true).id();
    Approved part = (Approved) answer("r1", new PspCall.Refund(id, OptionalLong.of(300), false));
    assertThat(part.charge().status()).isEqualTo(Status.PARTIALLY_REFUNDED);
    assertThat(answer("r2", new PspCall.Refund(id, OptionalLong.of(701), false)))
        .isInstanceOf(Refused.class);
    Approved rest = (Approved) answer("r3", new PspCall.Refund(id, OptionalLong.empty(), false));
    assertThat(rest.refund().orElseThrow().amount()).isEqualTo(700);
    assertThat(rest.charge().status()).isEqualTo(Status.REFUNDED);
    assertThat(answer("r4", new PspCall.Refund(id, OptionalLong.empty(), false)))
        .isInstanceOf(Refused.class);
  }

  @Test
  void theSameKeyGetsTheSameAnswer() {
    PspAnswer first = answer("k", charge("pm_card_visa", true));
    assertThat(answer("k", charge("pm_card_visa", true))).isEqualTo(first);
    PspAnswer declined = answer("d", charge("pm_card_declined", true));
    assertThat(answer("d", charge("pm_card_declined", true))).isEqualTo(declined);
    assertThat(stats()).isEqualTo(new PspStats(1, 1, 0, 1, 2, 1));
  }

  @Test
  void aRefusalIsKeptThoughTheStateChanges() {
    String id = charged("k", true).id();
    PspCall.Refund tooMuch = new PspCall.Refund(id, OptionalLong.of(1_001), false);
    PspAnswer refused = answer("r", tooMuch);
    answer("r2", new PspCall.Refund(id, OptionalLong.of(1), false));
    assertThat(answer("r", tooMuch)).isEqualTo(refused).isInstanceOf(Refused.class);
  }

  @Test
  void aKeyNamesOneCall() {
    String id = charged("k", true).id();
    assertThat(answer("k", charge("pm_card_visa", false))).isInstanceOf(KeyReused.class);
    assertThat(answer("k", new PspCall.Cancel(id))).isInstanceOf(KeyReused.class);
    answer("r", new PspCall.Refund(id, OptionalLong.empty(), false));
    assertThat(answer("r", new PspCall.Refund(id, OptionalLong.of(1_000), false)))
        .isInstanceOf(KeyReused.class);
    assertThat(stats().duplicatesSuppressed()).isZero();
  }

  @Test
  void aSlowChargeTakesEffectAtItsEndAndDuplicatesWaitForIt() {
    Future<PspAnswer> first = call("k", charge("pm_slow_500", true));
    Future<PspAnswer> duplicate = call("k", charge("pm_slow_500", true));
    assertThat(call("k", charge("pm_slow_501", true)).result()).isInstanceOf(KeyReused.class);
    time.advance(499);
    assertThat(first.isComplete() || duplicate.isComplete()).isFalse();
    assertThat(psp.chargesOf("k").result()).isEmpty();
    time.advance(1);
    assertThat(first.result()).isInstanceOf(Approved.class).isEqualTo(duplicate.result());
    assertThat(psp.chargesOf("k").result()).hasSize(1);
    assertThat(stats()).isEqualTo(new PspStats(1, 1, 0, 0, 1, 1));
  }

  @ParameterizedTest
  @CsvSource({"pm_card_declined,generic_decline", "pm_card_insufficient_funds,insufficient_funds"})
  void declines(String method, String code) {
    assertThat(answer("k", charge(method, true))).isEqualTo(new Declined(code));
    assertThat(psp.chargesOf("k").result()).isEmpty();
  }

  @Test
  void anUnavailablePspKeepsNothing() {
    for (int i = 0; i < 3; i++) {
      assertThat(answer("k", charge("pm_psp_unavailable", true))).isInstanceOf(Unavailable.class);
    }
    assertThat(stats()).isEqualTo(new PspStats(0, 0, 0, 0, 0, 0));
  }

  @Test
  void aFlakyPspApprovesTheSecondAttempt() {
    assertThat(answer("k", charge("pm_psp_flaky", true))).isInstanceOf(Unavailable.class);
    assertThat(answer("k", charge("pm_card_visa", true))).isInstanceOf(KeyReused.class);
    assertThat(answer("k", charge("pm_psp_flaky", true))).isInstanceOf(Approved.class);
    assertThat(stats()).isEqualTo(new PspStats(1, 1, 0, 0, 0, 1));
  }

  @Test
  void aLostReplyHasChargedOnce() {
    assertThat(answer("k", charge("pm_psp_lost_reply", true))).isInstanceOf(ReplyLost.class);
    assertThat(answer("k", charge("pm_psp_lost_reply", true))).isInstanceOf(Approved.class);
    assertThat(stats()).isEqualTo(new PspStats(1, 1, 0, 0, 1, 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 100_000_000_000L, Long.MIN_VALUE})
  void anAmountOutOfBoundsIsInvalidAndSpendsNoKey(long amount) {
    assertThat(answer("k", new PspCall.Charge(amount, "EUR", "pm_card_visa", true)))
        .isInstanceOf(Invalid.class);
    assertThat(charged("k", true).amount()).isEqualTo(1_000);
  }

  @Test
  void unknownMethodsCurrenciesAndChargesAreRefused() {
    assertThat(answer("k", charge("pm_unknown", true))).isInstanceOf(Invalid.class);
    assertThat(answer("k", new PspCall.Charge(1, "eur", "pm_card_visa", true)))
        .isInstanceOf(Invalid.class);
    assertThat(answer("k", new PspCall.Cancel("ch_none"))).isInstanceOf(NotFound.class);
    assertThat(psp.call(Optional.empty(), new PspCall.Cancel("ch_none")).result())
        .isInstanceOf(Invalid.class);
  }

  @Test
  void ofFiftyRefundsAtOnceOnlyThoseThatFitAreMade() throws Exception {
    String id = charged("k", true).id();
    List<Callable<PspAnswer>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      String key = "r" + i;
      calls.add(() -> answer(key, new PspCall.Refund(id, OptionalLong.of(90), false)));
    }
    List<PspAnswer> answers = together(calls);
    assertThat(answers).filteredOn(a -> a instanceof Approved).hasSize(11);
    assertThat(answers).filteredOn(a -> a instanceof Refused).hasSize(39);
    assertThat(psp.charge(id).result().orElseThrow().refundedAmount()).isEqualTo(990);
  }

  @Test
  void fiftyChargesWithOneKeyAreOneCharge() throws Exception {
    List<Callable<PspAnswer>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(() -> answer("k", charge("pm_card_visa", true)));
    }
    assertThat(together(calls)).containsOnly(answer("k", charge("pm_card_visa", true)));
    assertThat(stats()).isEqualTo(new PspStats(1, 1, 0, 0, 50, 1));
  }

  @Test
  void ofACaptureAndACancelOneWins() throws Exception {
    for (int round = 0; round < 200; round++) {
      String id = charged("k" + round, false).id();
      String key = "op" + round;
      List<PspAnswer> answers =
          together(
              List.of(
                  () -> answer(key + "a", new PspCall.Capture(id, OptionalLong.empty())),
                  () -> answer(key + "b", new PspCall.Cancel(id))));
      assertThat(answers).filteredOn(a -> a instanceof Approved).hasSize(1);
      Status status = psp.charge(id).result().orElseThrow().status();
      assertThat(status)
          .isEqualTo(answers.get(0) instanceof Approved ? Status.CAPTURED : Status.CANCELED);
    }
  }

  @Test
  void pastTheBudgetItFinishesWhatFitsAndThenTakesNoNewKeys() {
    MemoryBudget budget = new MemoryBudget(1);
    PspSimulator small =
        new PspSimulator(Journal.NONE, new PspRoom(budget, 5_000), time, PspIds.secure(), false);
    budget.add(1);
    int taken = 0;
    while (small.call(Optional.of("k" + taken), charge("pm_card_visa", true)).result()
        instanceof Approved) {
      taken++;
    }
    assertThat(taken).isBetween(1, 10);
    assertThat(small.call(Optional.of("k0"), charge("pm_card_visa", true)).result())
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
