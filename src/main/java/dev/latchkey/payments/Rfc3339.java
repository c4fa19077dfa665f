package dev.latchkey.payments;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times in responses: RFC 3339, UTC, with milliseconds. Pure. */
final class Rfc3339 {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Rfc3339() {}

  static String text(long epochMillis) {
    return FORMAT.format(Instant.ofEpochMilli(epochMillis));
  }
}
