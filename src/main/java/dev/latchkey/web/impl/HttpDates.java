package dev.latchkey.web.impl;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats HTTP dates (RFC 9110, section 5.6.7). */
final class HttpDates {

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private record Formatted(long epochSecond, String text) {}

  /** Keys with the same retention that complete within a second have the same date. */
  private static volatile Formatted latest = new Formatted(0, "Thu, 01 Jan 1970 00:00:00 GMT");

  private HttpDates() {}

  static String format(long epochMillis) {
    long epochSecond = Math.floorDiv(epochMillis, 1_000);
    Formatted known = latest;
    if (known.epochSecond != epochSecond) {
      String text = IMF_FIXDATE.format(Instant.ofEpochSecond(epochSecond));
      known = new Formatted(epochSecond, text);
      latest = known;
    }
    return known.text;
  }
}
