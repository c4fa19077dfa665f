package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.store.redis.RedisKeys;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Encodes a payment; {@code payment.lua} reads and writes the same bytes. */
final class PaymentRow {

  private static final int FORMAT = 2;
  private static final int CURRENCY_BYTES = 3;
  private static final int HEAD_BYTES = 2 + 5 * Long.BYTES + CURRENCY_BYTES + 3 * 2 + 4;

  /** By number, from 1. */
  private static final List<PaymentStatus> STATUSES =
      List.of(
          PaymentStatus.REQUIRES_CAPTURE,
          PaymentStatus.SUCCEEDED,
          PaymentStatus.CANCELED,
          PaymentStatus.PARTIALLY_REFUNDED,
          PaymentStatus.REFUNDED);

  private PaymentRow() {}

  /** Encodes all but the format and the links, which the script puts before it. */
  static byte[] write(Payment payment) {
    PaymentState state = payment.state();
    PaymentDetails details = payment.details();
    byte[] closing = state.closingKey().orElse("").getBytes(StandardCharsets.UTF_8);
    byte[] key = ascii(RedisKeys.escaped(payment.origin().idempotencyKey()));
    byte[] customer = ascii(customer(details.customer()));
    byte[] fixed = FieldCodec.write(out -> putFixed(out, payment));
    byte[] texts = texts(details.description(), details.metadata());
    byte[] currency = ascii(details.currency());
    if (currency.length != CURRENCY_BYTES) {
      throw new IllegalArgumentException(details.currency() + " is not an ISO 4217 currency");
    }
    int strings = closing.length + key.length + customer.length + fixed.length + texts.length;
    return ByteBuffer.allocate(HEAD_BYTES + strings)
        .put((byte) (STATUSES.indexOf(state.status()) + 1))
        .put((byte) (state.disputed() ? 1 : 0))
        .putLong(details.amount())
        .putLong(state.capturedAmount())
        .putLong(state.refundedAmount())
        .putLong(state.version())
        .putLong(state.updatedAtEpochMillis())
        .put(currency)
        .putShort((short) closing.length)
        .putShort((short) key.length)
        .putShort((short) customer.length)
        .putInt(fixed.length)
        .put(closing)
        .put(key)
        .put(customer)
        .put(fixed)
        .put(texts)
        .array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The argument of scripts for a customer: its escaped id after a colon, or empty. */
  static String customer(Optional<String> customer) {
    return customer.map(it -> ":" + RedisKeys.escaped(it)).orElse("");
  }

  /** Encodes the part that an amendment replaces. */
  static byte[] texts(Optional<String> description, Metadata metadata) {
    return FieldCodec.write(
        out -> {
          FieldCodec.putOptional(out, description);
          FieldCodec.putMetadata(out, metadata);
        });
  }

  private static void putFixed(DataOutputStream out, Payment payment) throws IOException {
    PaymentOrigin origin = payment.origin();
    out.writeUTF(payment.id());
    out.writeUTF(origin.tenant());
    out.writeUTF(origin.derivedKey());
    out.writeUTF(origin.pspCharge());
    out.writeLong(origin.createdAtEpochMillis());
    out.writeUTF(payment.details().paymentMethod());
  }

  /** Throws {@link IllegalStateException} if the bytes are not a payment. */
  static Payment read(byte[] row) {
    ByteBuffer head = ByteBuffer.wrap(row);
    int format = head.get();
    if (format != FORMAT) {
      throw new IllegalStateException(
          "a payment has version " + format + ", this node reads " + FORMAT);
    }
    int links = unsignedShort(head) + unsignedShort(head) + unsignedShort(head);
    head.position(head.position() + links);
    PaymentStatus status = STATUSES.get(head.get() - 1);
    boolean disputed = head.get() == 1;
    long amount = head.getLong();
    long captured = head.getLong();
    long refunded = head.getLong();
    long version = head.getLong();
    long updatedAt = head.getLong();
    byte[] currency = new byte[CURRENCY_BYTES];
    head.get(currency);
    int closingBytes = unsignedShort(head);
    int keyBytes = unsignedShort(head);
    int customerBytes = unsignedShort(head);
    int fixed = head.getInt();
    Optional<String> closingKey = Optional.of(text(head, closingBytes)).filter(it -> !it.isEmpty());
    String key = RedisKeys.unescaped(text(head, keyBytes));
    Optional<String> customer =
        Optional.of(text(head, customerBytes))
            .filter(it -> !it.isEmpty())
            .map(it -> RedisKeys.unescaped(it.substring(1)));
    int at = head.position();
    PaymentState state =
        new PaymentState(status, captured, refunded, disputed, closingKey, updatedAt, version);
    PaymentDetails partial =
        FieldCodec.read(
            row,
            at + fixed,
            row.length - at - fixed,
            in ->
                new PaymentDetails(
                    amount,
                    new String(currency, StandardCharsets.US_ASCII),
                    "",
                    customer,
                    FieldCodec.optional(in),
                    FieldCodec.metadata(in)));
    return FieldCodec.read(row, at, fixed, in -> payment(in, key, partial, state));
  }

  private static int unsignedShort(ByteBuffer in) {
    return in.getShort() & 0xFFFF;
  }

  private static String text(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Payment payment(
      DataInputStream in, String key, PaymentDetails partial, PaymentState state)
      throws IOException {
    String id = in.readUTF();
    PaymentOrigin origin =
        new PaymentOrigin(in.readUTF(), key, in.readUTF(), in.readUTF(), in.readLong());
    PaymentDetails details =
        new PaymentDetails(
            partial.amount(),
            partial.currency(),
            in.readUTF(),
            partial.customer(),
            partial.description(),
            partial.metadata());
    return new Payment(id, origin, details, state);
  }
}
