package dev.latchkey.web.impl;

import dev.latchkey.core.spi.ScopedKey;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/**
 * The grammar of an idempotency key on the wire: an RFC 9651 String such as {@code "8e03978e"},
 * whose parameters are ignored, or the same characters bare. A bare key is any run of {@code
 * %x21-7E} without double quotes, commas, semicolons and backslashes. Either way the key itself has
 * 1 to {@value ScopedKey#MAX_KEY_CHARS} characters, counted after unescaping. Stateless.
 */
final class IdempotencyKeySyntax {

  private static final int MAX_ECHOED_CHARS = 40;

  /**
   * Parameters whose value is a Date or a Display String. RFC 9651 added them to what the parser
   * knows; as all parameters are ignored, a number stands in for them.
   */
  private static final Pattern NEWER_PARAMETERS =
      Pattern.compile(
          "(; *[a-z*][a-z0-9_.*-]*)=(?:@-?[0-9]{1,15}"
              + "|%\"(?:[ !#$&-~]|%[0-9a-f]{2})*\")(?=[; ]*(?:$|;))");

  private static final String UNRESERVED_MARKS = "-._~";

  private IdempotencyKeySyntax() {}

  /** What the texts of a request say about its key. */
  sealed interface Result {}

  /** No text at all. */
  record Missing() implements Result {}

  /**
   * A well-formed key.
   *
   * @param key the key, unescaped
   * @param structured the key as {@link #toStructuredString} writes it
   */
  record Key(String key, String structured) implements Result {
    Key(String key) {
      this(key, toStructuredString(key));
    }
  }

  /**
   * Something that is no key.
   *
   * @param detail what is wrong, printable ASCII, with at most {@value #MAX_ECHOED_CHARS}
   *     characters of what was sent
   */
  record Malformed(String detail) implements Result {}

  /**
   * Reads the key of a request.
   *
   * @param texts what the request carries where its key belongs, one element per header line
   * @return the key, or why there is none
   */
  static Result parse(List<String> texts) {
    if (texts.isEmpty()) {
      return new Missing();
    }
    if (texts.size() > 1) {
      return new Malformed("the key was sent " + texts.size() + " times, send it once");
    }
    String text = trimmed(texts.get(0));
    if (text.isEmpty()) {
      return new Malformed("the key is empty");
    }
    return text.charAt(0) == '"' ? parseString(text) : parseBare(text);
  }

  /**
   * Writes a key as an RFC 9651 String, quoted and escaped.
   *
   * @param key a well-formed key
   * @return the text for a header
   */
  static String toStructuredString(String key) {
    if (key.indexOf('"') < 0 && key.indexOf('\\') < 0) {
      return '"' + key + '"';
    }
    StringBuilder text = new StringBuilder(key.length() + 8).append('"');
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    return text.append('"').toString();
  }

  /**
   * Writes a key as one segment of a URL's path: all but the unreserved characters of RFC 3986 are
   * percent-encoded, and so are the dots of a key that is a dot segment.
   *
   * @param key a well-formed key
   * @return the segment
   */
  static String toPathSegment(String key) {
    if (key.equals(".") || key.equals("..")) {
      return key.replace(".", "%2E");
    }
    StringBuilder segment = new StringBuilder(key.length() + 16);
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (isUnreserved(c)) {
        segment.append(c);
      } else {
        segment.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return segment.toString();
  }

  private static Result parseBare(String text) {
    if (text.length() > ScopedKey.MAX_KEY_CHARS) {
      return tooLong(text.length());
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isBare(text.charAt(i))) {
        return misplaced(text, i);
      }
    }
    return new Key(text);
  }

  private static Result misplaced(String text, int index) {
    char c = text.charAt(index);
    String where = " at position " + (index + 1) + " of the key " + echo(text);
    if (c == ',') {
      return new Malformed("comma" + where + ": send one key, or quote it as an RFC 9651 String");
    }
    if (c >= ' ' && c <= '~') {
      return new Malformed("'" + c + "'" + where + ": quote it as an RFC 9651 String");
    }
    return new Malformed(named(c) + where + ": allowed are printable ASCII characters");
  }

  private static Result parseString(String text) {
    if (isPlainString(text)) {
      int chars = text.length() - 2;
      return chars > ScopedKey.MAX_KEY_CHARS
          ? tooLong(chars)
          : new Key(text.substring(1, text.length() - 1), text);
    }
    Item<?> item;
    try {
      item = Parser.parseItem(withOlderParameters(text));
    } catch (ParseException e) {
      return new Malformed("the key " + echo(text) + " is not one RFC 9651 String");
    }
    // Any other item begins with another character; the check keeps the parser honest.
    if (!(item instanceof StringItem string)) {
      return new Malformed("the key " + echo(text) + " is not an RFC 9651 String");
    }
    String key = string.get();
    if (key.isEmpty()) {
      return new Malformed("the key is empty");
    }
    return key.length() > ScopedKey.MAX_KEY_CHARS ? tooLong(key.length()) : new Key(key);
  }

  /** Whether this is a quoted key without escapes or parameters, as nearly all are. */
  private static boolean isPlainString(String text) {
    int last = text.length() - 1;
    if (last < 2 || text.charAt(last) != '"') {
      return false;
    }
    for (int i = 1; i < last; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private static String withOlderParameters(String text) {
    int end = 1;
    while (end < text.length() && text.charAt(end) != '"') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    if (end + 1 >= text.length()) {
      return text;
    }
    String parameters = NEWER_PARAMETERS.matcher(text.substring(end + 1)).replaceAll("$1=0");
    return text.substring(0, end + 1) + parameters;
  }

  private static Malformed tooLong(int length) {
    return new Malformed(
        "the key has " + length + " characters, allowed are 1 to " + ScopedKey.MAX_KEY_CHARS);
  }

  private static String echo(String text) {
    int length = Math.min(text.length(), MAX_ECHOED_CHARS);
    StringBuilder echoed = new StringBuilder(length + 3);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      echoed.append(c >= ' ' && c <= '~' ? c : '?');
    }
    return echoed.append(text.length() > length ? "..." : "").toString();
  }

  private static String named(char c) {
    return String.format(Locale.ROOT, "U+%04X", (int) c);
  }

  /** Without the white space that HTTP allows around a field's value. */
  private static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isOptionalSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isOptionalSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isOptionalSpace(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isBare(char c) {
    return c > ' ' && c <= '~' && c != '"' && c != ',' && c != ';' && c != '\\';
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || UNRESERVED_MARKS.indexOf(c) >= 0;
  }
}
