package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.payments.OperationResult.Recorded;
import dev.latchkey.payments.OperationResult.Unrecorded;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.Approved;
import dev.latchkey.psp.PspResult.PspCharge;
import dev.latchkey.psp.PspResult.PspRefund;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The rules behind the keyed calls, committed the way a store does it. */
class PaymentRulesTest {

  private static final PaymentDetails DETAILS =
      new PaymentDetails(
          100, "EUR", "pm_card_visa", Optional.empty(), Optional.empty(), Metadata.NONE);
  private static final Command.Create CREATE = new Command.Create(DETAILS, true);
  private static final Command.Create AUTHORISE = new Command.Create(DETAILS, false);

  private final MemoryLedger ledger = new MemoryLedger(new MemoryBudget(1 << 30));
  private final ScriptedPsp psp = new ScriptedPsp();
  private final InstantSource clock = () -> Instant.ofEpochMilli(5_000);
  private final PaymentLookup lookup = new PaymentLookup(ledger);
  private int ids;
  private final IdSource idSource = prefix -> prefix + ++ids;
  private final CreatePayment create = new CreatePayment(ledger, psp, clock, idSource);
  private final ClosePayment close = new ClosePayment(lookup, psp, clock);
  private final RefundPayment refund = new RefundPayment(ledger, lookup, psp, clock, idSource);

  @Test
  void anApprovedChargeBecomesAPayment() {
    psp.answers(charged("ch_1", 100));

    ApiResponse reply = commit(create.run(attempt("acme", "k"), CREATE).result());

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.location()).contains("/v1/payments/pay_1");
    assertThat(reply.body().getString("status")).isEqualTo("succeeded");
    assertThat(reply.body()).isEqualTo(ApiJson.payment(payment("pay_1")));
    assertThat(psp.calls).containsExactly("charge acme/k/charge 100 EUR pm_card_visa true");
  }

  @Test
  void repeatedChargeGetsTheCurrentPayment() {
    psp.answers(charged("ch_1", 100)).answers(charged("ch_1", 100));
    commit(create.run(attempt("acme", "k"), CREATE).result());
    assertThat(ledger.apply(List.of(LedgerFixtures.refund(payment("pay_1"), "re_1", 30))))
        .isEmpty();

    ApiResponse reply = commit(create.run(attempt("acme", "k"), CREATE).result());

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.location()).contains("/v1/payments/pay_1");
    assertThat(reply.body().getString("status")).isEqualTo("partially_refunded");
    assertThat(all()).hasSize(1);
  }

  @Test
  void chargeOfAnotherRequestOrTenantIsNeverShown() {
    psp.answers(charged("ch_1", 100)).answers(charged("ch_1", 100)).answers(charged("ch_1", 100));
    commit(create.run(attempt("acme", "k"), CREATE).result());

    assertFails(create.run(attempt("acme", "k2"), CREATE).result(), 503, "psp-unavailable");
    PaymentOperation.Attempt sameDerivedKey =
        new PaymentOperation.Attempt("other", "k", name -> "acme/k/" + name);
    assertFails(create.run(sameDerivedKey, CREATE).result(), 503, "psp-unavailable");
  }

  @Test
  void wrongChargeIsNotRecorded() {
    psp.answers(charged("ch_1", 99));

    assertFails(create.run(attempt("acme", "k"), CREATE).result(), 503, "psp-unavailable");
  }

  @Test
  void otherPspResultsHaveTheirProblems() {
    psp.answers(new PspResult.Declined("insufficient_funds"))
        .answers(new PspResult.Refused("no"))
        .answers(new PspResult.Unavailable("timed out"))
        .answers(new PspResult.Rejected(404, "no such page"));

    assertFails(create.run(attempt("acme", "1"), CREATE).result(), 402, "card-declined");
    assertFails(create.run(attempt("acme", "2"), CREATE).result(), 409, "payment-state");
    assertFails(create.run(attempt("acme", "3"), CREATE).result(), 503, "psp-unavailable");
    assertFails(create.run(attempt("acme", "4"), CREATE).result(), 503, "psp-unavailable");
    assertThat(all()).isEmpty();
  }

  @Test
  void omittedAmountIsOmittedToThePspToo() {
    authorised();
    psp.answers(captured(100)).answers(refunded("rf_1", 100));

    commit(close.capture(attempt("acme", "c"), capture()).result());
    commit(refund.run(attempt("acme", "r"), giveBack()).result());

    assertThat(psp.calls.subList(1, 3))
        .containsExactly(
            "capture acme/c/capture ch_1 OptionalLong.empty",
            "refund acme/r/refund ch_1 OptionalLong.empty");
  }

  @Test
  void ledgerRecordsTheAmountThatThePspCaptured() {
    authorised();
    psp.answers(captured(60));

    ApiResponse reply = commit(close.capture(attempt("acme", "c"), capture()).result());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().getLong("captured_amount")).isEqualTo(60);
    assertThat(reply.body().getLong("version")).isEqualTo(2);
    assertThat(reply.body()).isEqualTo(ApiJson.payment(payment("pay_1")));
  }

  @Test
  void recordedCaptureGetsTheCurrentPayment() {
    authorised();
    psp.answers(captured(100)).answers(captured(100)).answers(captured(100));
    commit(close.capture(attempt("acme", "c"), capture()).result());

    ApiResponse again = commit(close.capture(attempt("acme", "c"), capture()).result());
    assertThat(again.body().getLong("version")).as("nothing was booked").isEqualTo(2);
    assertFails(
        close.capture(attempt("acme", "other"), capture()).result(), 503, "psp-unavailable");
  }

  @Test
  void captureOvertakenByItsRefundGetsTheCurrentPayment() {
    authorised();
    BookRefund overtaking = LedgerFixtures.refund(payment("pay_1"), "re_1", 30);
    psp.answers(captured(100), () -> assertThat(ledger.apply(List.of(overtaking))).isEmpty());

    ApiResponse reply = commit(close.capture(attempt("acme", "c"), capture()).result());

    assertThat(reply.body()).isEqualTo(ApiJson.payment(payment("pay_1")));
    assertThat(reply.body().getLong("refunded_amount")).isEqualTo(30);
    assertThat(psp.calls).as("asked once").hasSize(2);
  }

  @Test
  void captureAndConcurrentPatchAreBothKept() {
    authorised();
    psp.answers(captured(60), () -> amend("pay_1", "twice"));

    ApiResponse reply = commit(close.capture(attempt("acme", "c"), capture()).result());

    assertThat(reply.body().getString("description")).isEqualTo("twice");
    assertThat(reply.body().getLong("captured_amount")).isEqualTo(60);
    assertThat(reply.version()).hasValue(3);
    assertThat(reply.body()).isEqualTo(ApiJson.payment(payment("pay_1")));
    assertThat(psp.calls).as("asked once").hasSize(2);
  }

  @Test
  void responseIsRenderedAgainIfThePaymentChanged() {
    authorised();
    psp.answers(captured(60));
    OperationResult rendered = close.capture(attempt("acme", "c"), capture()).result();
    amend("pay_1", "late");

    assertThat(ledger.apply(List.of(((Unrecorded) rendered).effect()))).isPresent();
    ApiResponse reply = commit(rendered);

    assertThat(reply.body().getString("description")).isEqualTo("late");
    assertThat(reply.body().getString("status")).isEqualTo("succeeded");
    assertThat(reply.body()).isEqualTo(ApiJson.payment(payment("pay_1")));
    assertThat(payment("pay_1").version()).isEqualTo(3);
    assertThat(psp.calls).as("asked once").hasSize(2);
  }

  @Test
  void aCancelEndsAnAuthorisation() {
    authorised();
    PspCharge canceled = new PspCharge("ch_1", 100, "EUR", "canceled", 0, 0);
    psp.answers(new Approved(canceled, Optional.empty()))
        .answers(new Approved(canceled, Optional.empty()))
        .answers(new PspResult.Refused("it is canceled"));
    Command.Cancel cancel = new Command.Cancel("pay_1");

    ApiResponse reply = commit(close.cancel(attempt("acme", "c"), cancel).result());
    ApiResponse again = commit(close.cancel(attempt("acme", "c"), cancel).result());

    assertThat(reply.body().getString("status")).isEqualTo("canceled");
    assertThat(again.body()).isEqualTo(reply.body());
    assertFails(close.cancel(attempt("acme", "d"), cancel).result(), 409, "payment-state");
    assertThat(ledger.balance("acme").result()).isEmpty();
  }

  @Test
  void refundsAddUpAndEachIsRecordedOnce() {
    psp.answers(charged("ch_1", 100));
    commit(create.run(attempt("acme", "k"), CREATE).result());
    psp.answers(refunded("rf_1", 30)).answers(refunded("rf_1", 30)).answers(refunded("rf_2", 70));

    ApiResponse first = commit(refund.run(attempt("acme", "r"), giveBack()).result());
    ApiResponse again = commit(refund.run(attempt("acme", "r"), giveBack()).result());
    commit(refund.run(attempt("acme", "s"), giveBack()).result());

    assertThat(first.status()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(first.body().getLong("amount")).isEqualTo(30);
    assertThat(payment("pay_1").status().text()).isEqualTo("refunded");
    assertThat(ledger.balance("acme").result()).containsExactly(new Balance("EUR", 100, 100, 1));
  }

  @Test
  void refundOfAnotherRequestIsNeverShown() {
    psp.answers(charged("ch_1", 100));
    commit(create.run(attempt("acme", "k"), CREATE).result());
    psp.answers(refunded("rf_1", 30)).answers(refunded("rf_1", 30));
    commit(refund.run(attempt("acme", "r"), giveBack()).result());

    assertFails(refund.run(attempt("acme", "s"), giveBack()).result(), 503, "psp-unavailable");
  }

  @Test
  void paymentOfAnotherTenantGets404WithoutPspCall() {
    authorised();
    psp.calls.clear();
    PaymentOperation.Attempt other = attempt("other", "c");

    assertFails(close.capture(other, capture()).result(), 404, "not-found");
    assertFails(close.cancel(other, new Command.Cancel("pay_1")).result(), 404, "not-found");
    assertFails(refund.run(other, giveBack()).result(), 404, "not-found");
    Command.Cancel odd = new Command.Cancel("pay_\0");
    assertFails(close.cancel(attempt("acme", "c"), odd).result(), 404, "not-found");
    assertThat(psp.calls).isEmpty();
  }

  @Test
  void paymentThatTheLedgerLostGets500() {
    authorised();
    psp.answers(captured(100), () -> amend("pay_1", "the version that is read is old"));
    ClosePayment losing = new ClosePayment(new PaymentLookup(new LosingLedger(ledger)), psp, clock);

    assertFails(losing.capture(attempt("acme", "c"), capture()).result(), 500, "internal-error");
  }

  /** Finds a payment once. */
  private static final class LosingLedger extends ForwardingLedger {
    private boolean lost;

    LosingLedger(MemoryLedger delegate) {
      super(delegate);
    }

    @Override
    public Future<Optional<Payment>> findPayment(String tenant, String id) {
      boolean gone = lost;
      lost = true;
      return gone ? Future.succeededFuture(Optional.empty()) : super.findPayment(tenant, id);
    }
  }

  private void authorised() {
    psp.answers(authorised("ch_1", 100));
    commit(create.run(attempt("acme", "k"), AUTHORISE).result());
    assertThat(payment("pay_1").status().text()).isEqualTo("requires_capture");
  }

  private void amend(String id, String description) {
    Payment known = payment(id);
    PaymentAmendment amendment =
        new PaymentAmendment(
            "acme",
            id,
            known.version(),
            Optional.of(description),
            known.details().metadata(),
            6_000);
    assertThat(ledger.amendPayment(amendment).result())
        .isInstanceOf(PaymentAmendment.Amended.class);
  }

  private Payment payment(String id) {
    return ledger.findPayment("acme", id).result().orElseThrow();
  }

  private List<Payment> all() {
    return new ArrayList<>(
        ledger.listPayments(LedgerFixtures.all("acme", 100)).result().orElseThrow().data());
  }

  /** Does what the idempotency layer and a store do with a conclusion. */
  private ApiResponse commit(OperationResult conclusion) {
    OperationResult last = settle(conclusion);
    assertThat(last).isNotInstanceOf(Failed.class);
    return last instanceof Recorded done ? done.response() : ((Unrecorded) last).response();
  }

  private OperationResult settle(OperationResult conclusion) {
    OperationResult last = conclusion;
    int refusals = 0;
    while (last instanceof Unrecorded booked
        && ledger.apply(List.of(booked.effect())).isPresent()) {
      assertThat(++refusals).isLessThan(8);
      last = booked.ifRefused().get().result();
    }
    return last;
  }

  private void assertFails(OperationResult conclusion, int status, String name) {
    OperationResult last = settle(conclusion);
    assertThat(last).isInstanceOf(Failed.class);
    assertThat(((Failed) last).problem().status()).isEqualTo(status);
    assertThat(((Failed) last).problem().name()).isEqualTo(name);
  }

  private static PaymentOperation.Attempt attempt(String tenant, String key) {
    return new PaymentOperation.Attempt(tenant, key, name -> tenant + '/' + key + '/' + name);
  }

  private static Command.Capture capture() {
    return new Command.Capture("pay_1", OptionalLong.empty());
  }

  private static Command.Refund giveBack() {
    return new Command.Refund("pay_1", OptionalLong.empty(), Optional.empty());
  }

  private static Approved charged(String id, long amount) {
    PspCharge charge = new PspCharge(id, amount, "EUR", "captured", amount, 0);
    return new Approved(charge, Optional.empty());
  }

  private static Approved authorised(String id, long amount) {
    PspCharge charge = new PspCharge(id, amount, "EUR", "authorized", 0, 0);
    return new Approved(charge, Optional.empty());
  }

  private static Approved captured(long amount) {
    return new Approved(new PspCharge("ch_1", 100, "EUR", "captured", amount, 0), Optional.empty());
  }

  private static Approved refunded(String id, long amount) {
    return new Approved(
        new PspCharge("ch_1", 100, "EUR", "partially_refunded", 100, amount),
        Optional.of(new PspRefund(id, amount)));
  }
}
