package dev.latchkey.web.fingerprint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");
  private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]");

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
    return ENCODED.matcher(parameter).replaceAll(it -> Matcher.quoteReplacement(form(it.group())));
  }

  private static String form(String encoded) {
    String character = Character.toString(Integer.parseInt(encoded, 1, 3, 16));
    return UNRESERVED.matcher(character).matches() ? character : encoded.toUpperCase(Locale.ROOT);
  }
}
