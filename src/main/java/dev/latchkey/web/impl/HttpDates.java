package dev.latchkey.web.impl;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Dates as HTTP writes them (RFC 9110, section 5.6.7). */
final class HttpDates {

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

  /** Keys are mostly kept for one and the same time, so the answers of a second say the same. */
  private record Formatted(long epochSecond, String text) {}

  private static volatile Formatted latest = new Formatted(0, "Thu, 01 Jan 1970 00:00:00 GMT");

  private HttpDates() {}

  static String format(long epochMillis) {
    long epochSecond = Math.floorDiv(epochMillis, 1_000);
    Formatted known = latest;
    if (known.epochSecond == epochSecond) {
      return known.text;
    }
    String text = text(epochMillis, epochSecond);
    latest = new Formatted(epochSecond, text);
    return text;
  }

  private static String text(long epochMillis, long epochSecond) {
    long day = Math.floorDiv(epochSecond, SECONDS_PER_DAY);
    if (day < FIRST_DAY || day > LAST_DAY) {
      return IMF_FIXDATE.format(Instant.ofEpochMilli(epochMillis));
    }
    // Every answer of a completed key carries one, and a formatter takes a microsecond for it.
    LocalDate date = LocalDate.ofEpochDay(day);
    int second = (int) Math.floorMod(epochSecond, SECONDS_PER_DAY);
    byte[] text = "EEE, 00 MMM 0000 00:00:00 GMT".getBytes(StandardCharsets.ISO_8859_1);
    put(text, 0, DAYS, date.getDayOfWeek().getValue());
    put(text, 7, date.getDayOfMonth());
    put(text, 8, MONTHS, date.getMonthValue());
    put(text, 16, date.getYear());
    put(text, 19, second / 3_600);
    put(text, 22, second / 60 % 60);
    put(text, 25, second % 60);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Writes the name of a number from 1 up. */
  private static void put(byte[] text, int start, String names, int number) {
    for (int i = 0; i < 3; i++) {
      text[start + i] = (byte) names.charAt(3 * (number - 1) + i);
    }
  }

  /** Writes a number's digits so that they end before a place. */
  private static void put(byte[] text, int end, int number) {
    int at = end;
    for (int rest = number; rest > 0; rest /= 10) {
      text[--at] = (byte) ('0' + rest % 10);
    }
  }
}
