package dev.latchkey.payments;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as clients read them: RFC 3339, UTC, to the millisecond. Pure. */
final class Rfc3339 {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

  private Rfc3339() {}

  static String text(long epochMillis) {
    long day = Math.floorDiv(epochMillis, MILLIS_PER_DAY);
    if (day < FIRST_DAY || day > LAST_DAY) {
      return TIME.format(Instant.ofEpochMilli(epochMillis));
    }
    // Written digit by digit, since a formatter costs more than all the rest of an answer's JSON.
    LocalDate date = LocalDate.ofEpochDay(day);
    int millis = (int) Math.floorMod(epochMillis, MILLIS_PER_DAY);
    byte[] text = "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.ISO_8859_1);
    put(text, 4, date.getYear());
    put(text, 7, date.getMonthValue());
    put(text, 10, date.getDayOfMonth());
    put(text, 13, millis / 3_600_000);
    put(text, 16, millis / 60_000 % 60);
    put(text, 19, millis / 1_000 % 60);
    put(text, 23, millis % 1_000);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Writes a number's digits so that they end before a place. */
  private static void put(byte[] text, int end, int number) {
    int at = end;
    for (int rest = number; rest > 0; rest /= 10) {
      text[--at] = (byte) ('0' + rest % 10);
    }
  }
}
