package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.Refund;

/** Encodes a refund. */
final class RefundRow {

  private static final int FORMAT = 1;

  private RefundRow() {}

  static byte[] write(Refund refund) {
    return FieldCodec.write(
        out -> {
          out.writeByte(FORMAT);
          out.writeUTF(refund.tenant());
          out.writeUTF(refund.id());
          out.writeUTF(refund.payment());
          out.writeLong(refund.amount());
          FieldCodec.putOptional(out, refund.reason());
          out.writeUTF(refund.pspRefund());
          out.writeUTF(refund.derivedKey());
          out.writeLong(refund.createdAtEpochMillis());
        });
  }

  /** Throws {@link IllegalStateException} if the bytes are not a refund. */
  static Refund read(byte[] row) {
    return FieldCodec.read(
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
              FieldCodec.optional(in),
              in.readUTF(),
              in.readUTF(),
              in.readLong());
        });
  }
}
