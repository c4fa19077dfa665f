package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.packed.Packer;
import dev.latchkey.packed.Unpacker;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A payment as bytes: what it is found by and what never changes first, so that neither a look-up
 * nor a change reads the rest. As objects it would be some forty, which the garbage collector
 * copies one by one, and there are millions of payments that nobody reads again.
 */
final class PackedPayment {

  /** No payment. */
  static final int NONE = -1;

  private static final int TEXT = 0;
  private static final int NUMERIC = 1;
  private static final int TRUE = 2;
  private static final int FALSE = 3;

  private static final List<PaymentStatus> STATUSES = List.of(PaymentStatus.values());

  private PackedPayment() {}

  /**
   * Writes a payment that is new, and the payment that an earlier life of its key made; nothing of
   * what an attempt to write another may have left.
   */
  static void pack(Payment payment, int earlier, Packer to) {
    to.clear();
    PaymentOrigin origin = payment.origin();
    to.text(payment.id());
    to.text(origin.pspCharge());
    to.text(origin.idempotencyKey());
    to.text(payment.tenant());
    to.number(earlier + 1L);
    to.text(origin.derivedKey());
    to.number(origin.createdAtEpochMillis());
    packRest(payment, to);
  }

  /** Writes a payment that has changed, given as what it was written before. */
  static void repack(Payment payment, byte[] before, int start, Packer to) {
    to.clear();
    Unpacker from = new Unpacker(before, start);
    for (int text = 0; text < 4; text++) {
      from.skipText();
    }
    from.number();
    from.skipText();
    from.number();
    to.raw(before, start, from.at());
    packRest(payment, to);
  }

  private static void packRest(Payment payment, Packer to) {
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
  }

  static boolean isId(String id, byte[] bytes, int start) {
    return new Unpacker(bytes, start).isText(id);
  }

  static boolean isCharge(String pspCharge, byte[] bytes, int start) {
    Unpacker from = new Unpacker(bytes, start);
    from.skipText();
    return from.isText(pspCharge);
  }

  static boolean isOfKey(String tenant, String key, byte[] bytes, int start) {
    Unpacker from = new Unpacker(bytes, start);
    from.skipText();
    from.skipText();
    return from.isText(key) && from.isText(tenant);
  }

  static boolean isOf(String tenant, byte[] bytes, int start) {
    Unpacker from = new Unpacker(bytes, start);
    from.skipText();
    from.skipText();
    from.skipText();
    return from.isText(tenant);
  }

  /** The payment that an earlier life of the same key made, or {@link #NONE}. */
  static int earlier(byte[] bytes, int start) {
    Unpacker from = new Unpacker(bytes, start);
    for (int text = 0; text < 4; text++) {
      from.skipText();
    }
    return (int) (from.number() - 1);
  }

  static Payment unpack(byte[] bytes, int start) {
    Unpacker from = new Unpacker(bytes, start);
    String id = from.text();
    String charge = from.text();
    String key = from.text();
    String tenant = from.text();
    from.number();
    PaymentOrigin origin = new PaymentOrigin(tenant, key, from.text(), charge, from.number());
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
    return new Payment(id, origin, details, state);
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
