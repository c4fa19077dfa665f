package dev.latchkey.web.impl;

import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long a duplicate waits for the request in flight: the {@code wait} preference of RFC 7240 in
 * the limits of the route. Immutable.
 *
 * @param waitMillis how long to wait, at least 0
 * @param preferenceApplied what to send as {@code Preference-Applied}, empty when the request did
 *     not ask
 */
record PreferWait(long waitMillis, Optional<String> preferenceApplied) {

  private static final CharSequence PREFER = HttpHeaders.createOptimized("Prefer");

  /**
   * Decides how long a request waits.
   *
   * @param headers of the request
   * @param options of its handler
   * @return the wait
   */
  static PreferWait of(MultiMap headers, IdempotencyOptions options) {
    List<String> lines = headers.contains(PREFER) ? headers.getAll(PREFER) : List.of();
    return decide(lines, options.getWaitMillis(), options.getWaitMaxMillis());
  }

  /**
   * Decides how long a request waits.
   *
   * @param preferLines the request's {@code Prefer} lines
   * @param defaultMillis the wait of a request that does not ask
   * @param capMillis the longest wait that a request may ask for
   * @return the wait; the seconds named in {@code Preference-Applied} are rounded down where the
   *     cap is no whole number of them
   */
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
   * Finds the {@code wait} preference. The first one counts (RFC 7240, section 2), also when its
   * value is malformed and so ignored.
   *
   * @param preferLines the request's {@code Prefer} lines
   * @return whole seconds, at most {@link Long#MAX_VALUE}; empty when none is asked for
   */
  static OptionalLong seconds(List<String> preferLines) {
    for (String line : preferLines) {
      PreferReader reader = new PreferReader(line);
      while (reader.next()) {
        if (reader.name().equalsIgnoreCase("wait")) {
          return wholeSeconds(reader.value());
        }
      }
    }
    return OptionalLong.empty();
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
