package dev.latchkey.ledger;

import dev.latchkey.ledger.LedgerEffect.BookRefund;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Payments and refunds to try ledgers with; everything but what is named follows from the id. */
public final class LedgerFixtures {

  private LedgerFixtures() {}

  public static Payment payment(String tenant, String id, long amount, long captured) {
    return payment(tenant, id, amount, captured, Optional.empty(), "key-" + id);
  }

  public static Payment payment(
      String tenant,
      String id,
      long amount,
      long captured,
      Optional<String> customer,
      String idempotencyKey) {
    return payment(
        new PaymentOrigin(tenant, idempotencyKey, "derived-" + id, "ch_" + id, 1_000),
        id,
        amount,
        captured,
        customer);
  }

  /** A captured payment of 1, created at this time. */
  public static Payment created(String tenant, String id, long epochMillis) {
    PaymentOrigin origin =
        new PaymentOrigin(tenant, "key-" + id, "derived-" + id, "ch_" + id, epochMillis);
    return payment(origin, id, 1, 1, Optional.empty());
  }

  private static Payment payment(
      PaymentOrigin origin, String id, long amount, long captured, Optional<String> customer) {
    return new Payment(
        id,
        origin,
        new PaymentDetails(
            amount, "EUR", "pm_card_visa", customer, Optional.empty(), Metadata.NONE),
        PaymentState.first(captured, origin.createdAtEpochMillis()));
  }

  /** All payments of a tenant, at most so many. */
  public static PaymentQuery all(String tenant, int limit) {
    return new PaymentQuery(tenant, limit, Optional.empty(), PaymentFilter.ALL);
  }

  public static BookRefund refund(Payment payment, String id, long amount) {
    return new BookRefund(
        new Refund(
            payment.tenant(),
            id,
            payment.id(),
            amount,
            Optional.empty(),
            "psp_" + id,
            "derived-" + id,
            2_000),
        payment.details().amount());
  }

  /** The same payment in another currency. */
  public static Payment in(String currency, Payment payment) {
    PaymentDetails details = payment.details();
    return new Payment(
        payment.id(),
        payment.origin(),
        new PaymentDetails(
            details.amount(),
            currency,
            details.paymentMethod(),
            details.customer(),
            details.description(),
            details.metadata()),
        payment.state());
  }

  /** Notes that a careless column, parser or binary number would change. */
  public static Metadata oddMetadata() {
    Map<String, Metadata.Value> members = new LinkedHashMap<>();
    members.put("z", new Metadata.Numeric(new BigDecimal("9007199254740993")));
    members.put("a", new Metadata.Numeric(new BigDecimal("0.1000")));
    members.put("b", new Metadata.Numeric(new BigDecimal("1E+400")));
    members.put("", new Metadata.Numeric(new BigDecimal("-" + "7".repeat(1_500) + ".25")));
    members.put("quoted \" \\ \n 😀", new Metadata.Text("text \u0001 \u2028 \" é 😀"));
    members.put("flag", new Metadata.Flag(true));
    members.put("no", new Metadata.Flag(false));
    return new Metadata(members);
  }
}
