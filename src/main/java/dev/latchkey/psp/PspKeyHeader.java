package dev.latchkey.psp;

import java.util.List;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/** The {@code Idempotency-Key} of a call to the PSP: an RFC 9651 String, or bare. */
sealed interface PspKeyHeader {
  /** The header's name. */
  String NAME = "Idempotency-Key";

  /** The key, without quotes. */
  record Key(String value) implements PspKeyHeader {}

  /** No key was sent. */
  record Missing() implements PspKeyHeader {}

  /** What was sent is no key. */
  record Malformed() implements PspKeyHeader {}

  static PspKeyHeader parse(List<String> values) {
    if (values.isEmpty()) {
      return new Missing();
    }
    if (values.size() > 1) {
      return new Malformed();
    }
    String text = values.get(0).strip();
    if (!text.startsWith("\"")) {
      return Syntax.BARE.matcher(text).matches() ? new Key(text) : new Malformed();
    }
    try {
      Item<?> item = Parser.parseItem(text);
      boolean sound = item instanceof StringItem string && Syntax.isSound(string.get());
      return sound ? new Key((String) item.get()) : new Malformed();
    } catch (ParseException e) {
      return new Malformed();
    }
  }

  /** The grammar. */
  final class Syntax {
    private static final int MAX_CHARACTERS = 255;
    private static final Pattern BARE = Pattern.compile("[!-~]{1," + MAX_CHARACTERS + "}");

    private Syntax() {}

    private static boolean isSound(String key) {
      return !key.isEmpty() && key.length() <= MAX_CHARACTERS;
    }
  }
}
