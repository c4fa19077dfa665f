package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A payment as bytes, but for what its {@link Row} keeps as texts to find it by. As objects it
 * would be some forty, which the garbage collector copies one by one, and there are millions of
 * payments that nobody reads again.
 */
final class PackedPayment {

  private static final int TEXT = 0;
  private static final int NUMERIC = 1;
  private static final int TRUE = 2;
  private static final int FALSE = 3;

  private static final List<PaymentStatus> STATUSES = List.of(PaymentStatus.values());

  private PackedPayment() {}

  static byte[] pack(Payment payment, Packer to) {
    PaymentOrigin origin = payment.origin();
    to.text(origin.derivedKey());
    to.number(origin.createdAtEpochMillis());
    PaymentDetails details = payment.details();
    to.number(details.amount());
    to.text(details.currency());
    to.text(details.paymentMethod());
    to.text(details.customer());
    to.text(details.description());
    pack(details.metadata(), to);
    PaymentState state = payment.state();
    to.number(STATUSES.indexOf(state.status()));
    to.number(state.capturedAmount());
    to.number(state.refundedAmount());
    to.number(state.disputed() ? 1 : 0);
    to.text(state.closingKey());
    to.number(state.updatedAtEpochMillis());
    to.number(state.version());
    return to.take();
  }

  /** The payment of a row. */
  static Payment unpack(Row row) {
    Unpacker from = new Unpacker(row.packed);
    PaymentOrigin origin =
        new PaymentOrigin(
            row.tenant, row.idempotencyKey, from.text(), row.pspCharge, from.number());
    PaymentDetails details =
        new PaymentDetails(
            from.number(),
            from.text(),
            from.text(),
            from.optionalText(),
            from.optionalText(),
            metadata(from));
    PaymentState state =
        new PaymentState(
            STATUSES.get((int) from.number()),
            from.number(),
            from.number(),
            from.number() == 1,
            from.optionalText(),
            from.number(),
            from.number());
    return new Payment(row.id, origin, details, state);
  }

  private static void pack(Metadata metadata, Packer to) {
    to.number(metadata.members().size());
    for (Map.Entry<String, Metadata.Value> member : metadata.members().entrySet()) {
      to.text(member.getKey());
      if (member.getValue() instanceof Metadata.Text text) {
        to.number(TEXT);
        to.text(text.text());
      } else if (member.getValue() instanceof Metadata.Numeric numeric) {
        to.number(NUMERIC);
        to.text(numeric.number().toString());
      } else if (member.getValue() instanceof Metadata.Flag flag) {
        to.number(flag.flag() ? TRUE : FALSE);
      } else {
        throw new IllegalArgumentException("unknown kind of value " + member.getValue());
      }
    }
  }

  private static Metadata metadata(Unpacker from) {
    int members = (int) from.number();
    if (members == 0) {
      return Metadata.NONE;
    }
    Map<String, Metadata.Value> read = new LinkedHashMap<>();
    for (int i = 0; i < members; i++) {
      read.put(from.text(), value(from));
    }
    return new Metadata(read);
  }

  private static Metadata.Value value(Unpacker from) {
    int kind = (int) from.number();
    return switch (kind) {
      case TEXT -> new Metadata.Text(from.text());
      case NUMERIC -> new Metadata.Numeric(new BigDecimal(from.text()));
      default -> new Metadata.Flag(kind == TRUE);
    };
  }
}
