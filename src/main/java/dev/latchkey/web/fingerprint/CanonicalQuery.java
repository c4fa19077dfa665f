package dev.latchkey.web.fingerprint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Brings the parameters of a query into an order that does not depend on the client.
 *
 * <p>Parameters are sorted by name; those of one name keep their order, since it may matter to a
 * handler. Percent-encoding is normalised according to RFC 3986 (section 6.2.2): encoded unreserved
 * characters are decoded, and the digits of all others are upper case. Everything else, such as
 * {@code +} for a space, stays: requests that may differ for a handler must have different
 * fingerprints. For the same reason a query with a semicolon, which some handlers read as a
 * separator, is not sorted.
 */
final class CanonicalQuery {

  private static final String UNRESERVED_MARKS = "-._~";

  private CanonicalQuery() {}

  /**
   * Splits a query.
   *
   * @param query without the question mark, as sent; empty for none
   * @return its parameters in canonical order and form, without empty ones
   */
  static List<String> parameters(String query) {
    if (query.isEmpty()) {
      return List.of();
    }
    List<String> parameters = new ArrayList<>();
    int start = 0;
    while (start <= query.length()) {
      int ampersand = query.indexOf('&', start);
      int end = ampersand < 0 ? query.length() : ampersand;
      if (end > start) {
        parameters.add(normalized(query.substring(start, end)));
      }
      start = end + 1;
    }
    if (query.indexOf(';') < 0) {
      parameters.sort(Comparator.comparing(CanonicalQuery::name));
    }
    return parameters;
  }

  private static String name(String parameter) {
    int equals = parameter.indexOf('=');
    return equals < 0 ? parameter : parameter.substring(0, equals);
  }

  private static String normalized(String parameter) {
    if (parameter.indexOf('%') < 0) {
      return parameter;
    }
    StringBuilder text = new StringBuilder(parameter.length());
    for (int i = 0; i < parameter.length(); i++) {
      char c = parameter.charAt(i);
      int decoded = c == '%' ? decode(parameter, i + 1) : -1;
      if (decoded < 0) {
        text.append(c);
      } else {
        if (isUnreserved(decoded)) {
          text.append((char) decoded);
        } else {
          text.append(parameter.substring(i, i + 3).toUpperCase(Locale.ROOT));
        }
        i += 2;
      }
    }
    return text.toString();
  }

  /** Reads two hexadecimal digits, or returns a negative number where there are none. */
  private static int decode(String text, int index) {
    if (index + 1 >= text.length()) {
      return -1;
    }
    int high = hexDigit(text.charAt(index));
    int low = hexDigit(text.charAt(index + 1));
    return high < 0 || low < 0 ? -1 : (high << 4) | low;
  }

  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  private static boolean isUnreserved(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || UNRESERVED_MARKS.indexOf(c) >= 0;
  }
}
