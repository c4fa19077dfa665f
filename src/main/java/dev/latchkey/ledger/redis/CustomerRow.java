package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.Precondition;
import java.util.Optional;
import java.util.stream.Collectors;

/** A customer as it stands in Redis; {@code put_customer.lua} reads and writes the same bytes. */
final class CustomerRow {

  private static final int FORMAT = 1;

  private CustomerRow() {}

  /** What a put says about a customer. */
  static byte[] said(CustomerPut put) {
    return Texts.write(
        out -> {
          Texts.putOptional(out, put.name());
          Texts.putOptional(out, put.email());
        });
  }

  /** A condition as the script takes it. */
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

  /** Reads a row; throws {@link IllegalStateException} on anything else. */
  static Customer read(String tenant, String id, byte[] row) {
    return Texts.read(
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
              tenant, id, Texts.optional(in), Texts.optional(in), createdAt, updatedAt, version);
        });
  }
}
