package dev.latchkey.psp.simulator;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/** Parses the {@code Idempotency-Key} header: an RFC 9651 String, or a bare key. */
final class IdempotencyKeyHeader {
  static final String NAME = "Idempotency-Key";

  private static final int MAX_CHARACTERS = 255;
  private static final Pattern BARE = Pattern.compile("[!-~]{1," + MAX_CHARACTERS + "}");

  private IdempotencyKeyHeader() {}

  /**
   * Parses the header.
   *
   * @return empty if there is no header
   * @throws IllegalArgumentException if the header is not one well-formed key
   */
  static Optional<String> parse(List<String> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    String text = values.get(0).strip();
    Optional<String> key =
        text.startsWith("\"")
            ? quoted(text)
            : Optional.of(text).filter(IdempotencyKeyHeader::isBare);
    if (values.size() > 1 || key.isEmpty()) {
      throw new IllegalArgumentException(
          NAME + " is not one key of 1 to " + MAX_CHARACTERS + " printable characters");
    }
    return key;
  }

  private static boolean isBare(String text) {
    return BARE.matcher(text).matches();
  }

  private static Optional<String> quoted(String text) {
    try {
      Item<?> item = Parser.parseItem(text);
      return item instanceof StringItem string
          ? Optional.of(string.get()).filter(k -> !k.isEmpty() && k.length() <= MAX_CHARACTERS)
          : Optional.empty();
    } catch (ParseException e) {
      return Optional.empty();
    }
  }
}
