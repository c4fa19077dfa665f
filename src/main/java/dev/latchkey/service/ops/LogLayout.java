package dev.latchkey.service.ops;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Log layout with one line per event: {@code 2026-01-31T12:00:00.000Z WARN Class - message
 * exception}. Line breaks become {@code |}. Exceptions show class and message of each cause,
 * without a stack trace. Safe for any thread.
 */
final class LogLayout extends LayoutBase<ILoggingEvent> {

  private static final int LEVEL_WIDTH = 5;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Override
  public String doLayout(ILoggingEvent event) {
    String logger = event.getLoggerName();
    StringBuilder line = new StringBuilder(128);
    line.append(TIME.format(Instant.ofEpochMilli(event.getTimeStamp()))).append(' ');
    String level = event.getLevel().toString();
    line.append(level);
    for (int width = level.length(); width < LEVEL_WIDTH; width++) {
      line.append(' ');
    }
    return line.append(' ')
        .append(logger, logger.lastIndexOf('.') + 1, logger.length())
        .append(" - ")
        .append(inOneLine(event.getFormattedMessage() + " " + exception(event)))
        .append(System.lineSeparator())
        .toString();
  }

  private static String exception(ILoggingEvent event) {
    if (event.getThrowableProxy() == null) {
      return "";
    }
    ThrowableProxyConverter converter = new ThrowableProxyConverter();
    converter.setOptionList(List.of("0"));
    converter.start();
    return converter.convert(event);
  }

  private static String inOneLine(String text) {
    return text.replaceAll("\\s*[\r\n]+\\s*", " | ").replaceAll("(\\s|\\|)+$", "");
  }
}
