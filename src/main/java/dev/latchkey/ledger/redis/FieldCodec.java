package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.Metadata;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Encodes and decodes optional texts and metadata of a row. */
final class FieldCodec {

  private static final int TEXT = 1;
  private static final int NUMBER = 2;
  private static final int TRUE = 3;
  private static final int FALSE = 4;

  private FieldCodec() {}

  @FunctionalInterface
  interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  @FunctionalInterface
  interface Reader<R> {
    R read(DataInputStream in) throws IOException;
  }

  static byte[] write(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(new DataOutputStream(bytes));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** Throws {@link IllegalStateException} if the bytes are damaged. */
  static <R> R read(byte[] bytes, int from, int length, Reader<R> reader) {
    try {
      return reader.read(new DataInputStream(new ByteArrayInputStream(bytes, from, length)));
    } catch (IOException damaged) {
      throw new IllegalStateException("a row of the ledger is damaged", damaged);
    }
  }

  static void putOptional(DataOutputStream out, Optional<String> text) throws IOException {
    out.writeBoolean(text.isPresent());
    if (text.isPresent()) {
      out.writeUTF(text.get());
    }
  }

  static Optional<String> optional(DataInputStream in) throws IOException {
    return in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty();
  }

  static void putMetadata(DataOutputStream out, Metadata metadata) throws IOException {
    out.writeShort(metadata.members().size());
    for (Map.Entry<String, Metadata.Value> member : metadata.members().entrySet()) {
      out.writeUTF(member.getKey());
      if (member.getValue() instanceof Metadata.Text text) {
        out.writeByte(TEXT);
        out.writeUTF(text.text());
      } else if (member.getValue() instanceof Metadata.Numeric numeric) {
        byte[] digits = numeric.number().unscaledValue().toByteArray();
        out.writeByte(NUMBER);
        out.writeInt(numeric.number().scale());
        out.writeInt(digits.length);
        out.write(digits);
      } else if (member.getValue() instanceof Metadata.Flag flag) {
        out.writeByte(flag.flag() ? TRUE : FALSE);
      }
    }
  }

  static Metadata metadata(DataInputStream in) throws IOException {
    int size = in.readUnsignedShort();
    Map<String, Metadata.Value> members = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      members.put(in.readUTF(), value(in));
    }
    return new Metadata(members);
  }

  private static Metadata.Value value(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case TEXT -> new Metadata.Text(in.readUTF());
      case NUMBER -> {
        int scale = in.readInt();
        yield new Metadata.Numeric(
            new BigDecimal(new BigInteger(in.readNBytes(in.readInt())), scale));
      }
      case TRUE -> new Metadata.Flag(true);
      case FALSE -> new Metadata.Flag(false);
      default -> throw new IOException("unknown kind of value " + kind);
    };
  }
}
