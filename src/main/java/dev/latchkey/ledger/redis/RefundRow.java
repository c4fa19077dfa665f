package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.Refund;

/** A refund as it stands in Redis; it never changes. */
final class RefundRow {

  private static final int FORMAT = 1;

  private RefundRow() {}

  static byte[] write(Refund refund) {
    return Texts.write(
        out -> {
          out.writeByte(FORMAT);
          out.writeUTF(refund.tenant());
          out.writeUTF(refund.id());
          out.writeUTF(refund.payment());
          out.writeLong(refund.amount());
          Texts.putOptional(out, refund.reason());
          out.writeUTF(refund.pspRefund());
          out.writeUTF(refund.derivedKey());
          out.writeLong(refund.createdAtEpochMillis());
        });
  }

  /** Reads a row; throws {@link IllegalStateException} on anything else. */
  static Refund read(byte[] row) {
    return Texts.read(
        row,
        0,
        row.length,
        in -> {
          int format = in.readUnsignedByte();
          if (format != FORMAT) {
            throw new IllegalStateException(
                "a refund has version " + format + ", this node reads " + FORMAT);
          }
          return new Refund(
              in.readUTF(),
              in.readUTF(),
              in.readUTF(),
              in.readLong(),
              Texts.optional(in),
              in.readUTF(),
              in.readUTF(),
              in.readLong());
        });
  }
}
