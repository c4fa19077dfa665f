package dev.latchkey.idempotency.impl;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Dates as HTTP writes them (RFC 9110, section 5.6.7). */
final class HttpDates {

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private HttpDates() {}

  static String format(long epochMillis) {
    return IMF_FIXDATE.format(Instant.ofEpochMilli(epochMillis));
  }
}
