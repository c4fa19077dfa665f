package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Payment;
import org.jspecify.annotations.Nullable;

/**
 * A payment's place in the books, and what it is found by: the payment changes, all of this does
 * not. Rows are the keys of the index by idempotency key, too, so that it holds no objects besides:
 * two are equal when they are of one key of one tenant. Their order has no meaning; it helps tables
 * whose keys collide. Guarded like {@link Books}.
 */
final class Row implements Comparable<Row> {

  private static final byte[] NOTHING = {};

  final long sequence;
  final String tenant;
  final String idempotencyKey;
  final String id;
  final String pspCharge;

  /** See {@link PackedPayment}. */
  byte[] packed = NOTHING;

  /** The payment that an earlier life of the same key made, if any. */
  @Nullable Row earlier;

  Row(long sequence, Payment payment) {
    this.sequence = sequence;
    this.tenant = payment.tenant();
    this.idempotencyKey = payment.origin().idempotencyKey();
    this.id = payment.id();
    this.pspCharge = payment.origin().pspCharge();
  }

  /** What is equal to the rows of a key, to look them up. */
  Row(String tenant, String idempotencyKey) {
    this.sequence = 0;
    this.tenant = tenant;
    this.idempotencyKey = idempotencyKey;
    this.id = "";
    this.pspCharge = "";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Row that
        && idempotencyKey.equals(that.idempotencyKey)
        && tenant.equals(that.tenant);
  }

  /** Spread over all bits: those of a text that counts up crowd into few buckets of a table. */
  @Override
  public int hashCode() {
    int hash = (31 * tenant.hashCode() + idempotencyKey.hashCode()) * 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }

  @Override
  public int compareTo(Row other) {
    int byKey = idempotencyKey.compareTo(other.idempotencyKey);
    return byKey == 0 ? tenant.compareTo(other.tenant) : byKey;
  }
}
