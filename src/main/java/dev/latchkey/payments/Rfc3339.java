package dev.latchkey.payments;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as clients read them: RFC 3339, UTC, to the millisecond. Pure. */
final class Rfc3339 {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Rfc3339() {}

  static String text(long epochMillis) {
    return TIME.format(Instant.ofEpochMilli(epochMillis));
  }
}
