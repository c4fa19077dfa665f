package dev.latchkey.web.impl;

import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long a duplicate is parked: the {@code wait} preference of RFC 7240, within the limits of the
 * route.
 *
 * @param waitMillis 0 or more
 * @param preferenceApplied the value of {@code Preference-Applied}, empty if the request has no
 *     preference
 */
record PreferWait(long waitMillis, Optional<String> preferenceApplied) {

  private static final CharSequence PREFER = HttpHeaders.createOptimized("Prefer");

  static PreferWait of(MultiMap headers, IdempotencyOptions options) {
    List<String> lines = headers.contains(PREFER) ? headers.getAll(PREFER) : List.of();
    return decide(lines, options.getWaitMillis(), options.getWaitMaxMillis());
  }

  /** The seconds of {@code Preference-Applied} are rounded down if the cap is not whole seconds. */
  static PreferWait decide(List<String> preferLines, long defaultMillis, long capMillis) {
    OptionalLong asked = seconds(preferLines);
    if (asked.isEmpty()) {
      return new PreferWait(defaultMillis, Optional.empty());
    }
    long seconds = asked.getAsLong();
    long waitMillis = seconds > capMillis / 1000 ? capMillis : seconds * 1000;
    return new PreferWait(waitMillis, Optional.of("wait=" + waitMillis / 1000));
  }

  /**
   * Finds the {@code wait} preference in seconds. Only the first one counts (RFC 7240, section 2),
   * even if its value is malformed and so ignored.
   */
  static OptionalLong seconds(List<String> preferLines) {
    for (String line : preferLines) {
      for (String preference : split(line, ',')) {
        String[] parts = split(preference, ';').get(0).split("=", 2);
        if (parts[0].strip().equalsIgnoreCase("wait")) {
          return parts.length == 1 ? OptionalLong.empty() : wholeSeconds(unquoted(parts[1]));
        }
      }
    }
    return OptionalLong.empty();
  }

  /** Splits a text at each separator outside quoted strings. */
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static String unquoted(String text) {
    String value = text.strip();
    return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1")
        : value;
  }

  private static OptionalLong wholeSeconds(String text) {
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    long seconds = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return OptionalLong.empty();
      }
      boolean overflows = seconds > (Long.MAX_VALUE - digit) / 10;
      seconds = overflows ? Long.MAX_VALUE : seconds * 10 + digit;
    }
    return OptionalLong.of(seconds);
  }
}
