package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A payment as it stands in Redis; {@code books.lua} reads and writes the same bytes. */
final class PaymentRow {

  private static final int FORMAT = 1;
  private static final int CURRENCY_BYTES = 3;
  private static final int HEAD_BYTES = 3 + 6 * Long.BYTES + CURRENCY_BYTES + 2 + 4;

  /** By number, from 1. */
  private static final List<PaymentStatus> STATUSES =
      List.of(
          PaymentStatus.REQUIRES_CAPTURE,
          PaymentStatus.SUCCEEDED,
          PaymentStatus.CANCELED,
          PaymentStatus.PARTIALLY_REFUNDED,
          PaymentStatus.REFUNDED);

  private PaymentRow() {}

  /** The row of a payment that has no place in the lists yet. */
  static byte[] write(Payment payment) {
    PaymentState state = payment.state();
    PaymentDetails details = payment.details();
    byte[] closing = state.closingKey().orElse("").getBytes(StandardCharsets.UTF_8);
    byte[] fixed = Texts.write(out -> putFixed(out, payment));
    byte[] texts = texts(details.description(), details.metadata());
    byte[] currency = details.currency().getBytes(StandardCharsets.US_ASCII);
    if (currency.length != CURRENCY_BYTES) {
      throw new IllegalArgumentException(details.currency() + " is not an ISO 4217 currency");
    }
    return ByteBuffer.allocate(HEAD_BYTES + closing.length + fixed.length + texts.length)
        .put((byte) FORMAT)
        .put((byte) (STATUSES.indexOf(state.status()) + 1))
        .put((byte) (state.disputed() ? 1 : 0))
        .putLong(details.amount())
        .putLong(state.capturedAmount())
        .putLong(state.refundedAmount())
        .putLong(state.version())
        .putLong(state.updatedAtEpochMillis())
        .putLong(0)
        .put(currency)
        .putShort((short) closing.length)
        .putInt(fixed.length)
        .put(closing)
        .put(fixed)
        .put(texts)
        .array();
  }

  /** What the client says: the part that an amendment replaces. */
  static byte[] texts(Optional<String> description, Metadata metadata) {
    return Texts.write(
        out -> {
          Texts.putOptional(out, description);
          Texts.putMetadata(out, metadata);
        });
  }

  private static void putFixed(DataOutputStream out, Payment payment) throws IOException {
    PaymentOrigin origin = payment.origin();
    out.writeUTF(payment.id());
    out.writeUTF(origin.tenant());
    out.writeUTF(origin.idempotencyKey());
    out.writeUTF(origin.derivedKey());
    out.writeUTF(origin.pspCharge());
    out.writeLong(origin.createdAtEpochMillis());
    out.writeUTF(payment.details().paymentMethod());
    Texts.putOptional(out, payment.details().customer());
  }

  /** Reads a row; throws {@link IllegalStateException} on anything else. */
  static Payment read(byte[] row) {
    ByteBuffer head = ByteBuffer.wrap(row);
    int format = head.get();
    if (format != FORMAT) {
      throw new IllegalStateException(
          "a payment has version " + format + ", this node reads " + FORMAT);
    }
    PaymentStatus status = STATUSES.get(head.get() - 1);
    boolean disputed = head.get() == 1;
    long amount = head.getLong();
    long captured = head.getLong();
    long refunded = head.getLong();
    long version = head.getLong();
    long updatedAt = head.getLong();
    head.getLong();
    byte[] currency = new byte[CURRENCY_BYTES];
    head.get(currency);
    byte[] closing = new byte[head.getShort() & 0xFFFF];
    int fixed = head.getInt();
    head.get(closing);
    int at = head.position();
    Optional<String> closingKey =
        Optional.of(new String(closing, StandardCharsets.UTF_8)).filter(it -> !it.isEmpty());
    PaymentState state =
        new PaymentState(status, captured, refunded, disputed, closingKey, updatedAt, version);
    PaymentDetails said =
        Texts.read(
            row,
            at + fixed,
            row.length - at - fixed,
            in ->
                new PaymentDetails(
                    amount,
                    new String(currency, StandardCharsets.US_ASCII),
                    "",
                    Optional.empty(),
                    Texts.optional(in),
                    Texts.metadata(in)));
    return Texts.read(row, at, fixed, in -> payment(in, said, state));
  }

  private static Payment payment(DataInputStream in, PaymentDetails said, PaymentState state)
      throws IOException {
    String id = in.readUTF();
    PaymentOrigin origin =
        new PaymentOrigin(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(), in.readLong());
    PaymentDetails details =
        new PaymentDetails(
            said.amount(),
            said.currency(),
            in.readUTF(),
            Texts.optional(in),
            said.description(),
            said.metadata());
    return new Payment(id, origin, details, state);
  }
}
