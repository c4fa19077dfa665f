package dev.latchkey.web.impl;

import dev.latchkey.core.spi.ScopedKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/**
 * The syntax of an idempotency key: an RFC 9651 String such as {@code "8e03978e"}, whose parameters
 * are ignored, or the same characters bare. A bare key consists of {@code %x21-7E} without double
 * quotes, commas, semicolons and backslashes. A key has 1 to {@value ScopedKey#MAX_KEY_CHARS}
 * characters, counted after unescaping.
 */
final class IdempotencyKeySyntax {

  private static final int MAX_ECHOED_CHARS = 40;

  /**
   * Parameters whose value is a Date or a Display String, which RFC 9651 added and the parser does
   * not know. Parameters are ignored, so a number replaces the value. The quantifiers are
   * possessive: a greedy group recurses for each character and overflows the stack.
   */
  private static final Pattern NEWER_PARAMETERS =
      Pattern.compile(
          "(; *+[a-z*][a-z0-9_.*-]*+)=(?:@-?[0-9]{1,15}+"
              + "|%\"(?:[ !#$&-~]|%[0-9a-f]{2})*+\")(?= *+(?:$|;))");

  private IdempotencyKeySyntax() {}

  /** The result of parsing. */
  sealed interface Result {}

  /** There is no key. */
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
   * A value that is not a key.
   *
   * @param detail what is wrong, in printable ASCII, with at most {@value #MAX_ECHOED_CHARS}
   *     characters of the value
   */
  record Malformed(String detail) implements Result {}

  /**
   * Parses the key of a request.
   *
   * @param texts the values of the key source, one per header line
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

  /** Returns a key as an RFC 9651 String, quoted and escaped. */
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
   * Returns a key as a segment of a URL's path. All characters but the unreserved ones of RFC 3986
   * are percent-encoded, and so are the dots of a key that would be a dot segment.
   */
  static String toPathSegment(String key) {
    if (key.equals(".") || key.equals("..")) {
      return key.replace(".", "%2E");
    }
    String form = URLEncoder.encode(key, StandardCharsets.US_ASCII);
    return form.replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
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
    Item<?> item;
    try {
      item = Parser.parseItem(withOlderParameters(text));
    } catch (ParseException e) {
      return new Malformed("the key " + echo(text) + " is not one RFC 9651 String");
    }
    if (!(item instanceof StringItem string)) {
      return new Malformed("the key " + echo(text) + " is not an RFC 9651 String");
    }
    String key = string.get();
    if (key.isEmpty()) {
      return new Malformed("the key is empty");
    }
    return key.length() > ScopedKey.MAX_KEY_CHARS ? tooLong(key.length()) : new Key(key);
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

  /** Removes the white space that HTTP allows around a field value. */
  private static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && " \t".indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    while (end > start && " \t".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isBare(char c) {
    return c > ' ' && c <= '~' && c != '"' && c != ',' && c != ';' && c != '\\';
  }
}
