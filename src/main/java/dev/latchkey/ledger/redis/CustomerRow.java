package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.Precondition;
import java.util.Optional;
import java.util.stream.Collectors;

/** Encodes a customer; {@code put_customer.lua} reads and writes the same bytes. */
final class CustomerRow {

  private static final int FORMAT = 1;

  private CustomerRow() {}

  static byte[] content(CustomerPut put) {
    return FieldCodec.write(
        out -> {
          FieldCodec.putOptional(out, put.name());
          FieldCodec.putOptional(out, put.email());
        });
  }

  /** The argument of the script for a condition. */
  static String condition(Optional<Precondition.Versions> versions) {
    return versions
        .map(
            these ->
                these instanceof Precondition.OneOf some
                    ? some.versions().stream()
                        .map(version -> version + " ")
                        .collect(Collectors.joining("", " ", ""))
                    : "*")
        .orElse("");
  }

  /** Throws {@link IllegalStateException} if the bytes are not a customer. */
  static Customer read(String tenant, String id, byte[] row) {
    return FieldCodec.read(
        row,
        0,
        row.length,
        in -> {
          int format = in.readUnsignedByte();
          if (format != FORMAT) {
            throw new IllegalStateException(
                "a customer has version " + format + ", this node reads " + FORMAT);
          }
          long version = in.readLong();
          long createdAt = in.readLong();
          long updatedAt = in.readLong();
          return new Customer(
              tenant,
              id,
              FieldCodec.optional(in),
              FieldCodec.optional(in),
              createdAt,
              updatedAt,
              version);
        });
  }
}
