package dev.latchkey.service.ops;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Log layout with one line per event, of at most 2 KiB: {@code 2026-01-31T12:00:00.000Z WARN Class
 * - message exception}, or one JSON object. Line breaks become {@code |}, other control characters
 * are escaped. Exceptions show class and message of each cause, without a stack trace. Safe for any
 * thread.
 */
final class LogLayout extends LayoutBase<ILoggingEvent> {

  static final int MAX_BYTES = 2_048;

  private static final String CUT = "...";
  private static final int LEVEL_WIDTH = 5;
  private static final int HASH_BYTES = 8;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** A key as log messages show it, quoted. */
  private static final Pattern KEY = Pattern.compile("\\bkey=\"((?:[^\"\\\\]++|\\\\.)*+)\"");

  private final boolean json;

  /** Creates a layout; JSON shows keys only hashed. */
  LogLayout(boolean json) {
    this.json = json;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String message = inOneLine(event.getFormattedMessage() + " " + exception(event));
    int max = MAX_BYTES - System.lineSeparator().length();
    String line =
        json
            ? json(event, KEY.matcher(message).replaceAll(LogLayout::hashed), max)
            : text(event, message, max);
    return line + System.lineSeparator();
  }

  private static String text(ILoggingEvent event, String message, int max) {
    String logger = event.getLoggerName();
    StringBuilder line = new StringBuilder(128);
    line.append(TIME.format(Instant.ofEpochMilli(event.getTimeStamp()))).append(' ');
    String level = event.getLevel().toString();
    line.append(level).append(" ".repeat(LEVEL_WIDTH - level.length()));
    line.append(' ').append(logger, logger.lastIndexOf('.') + 1, logger.length());
    return cut(line.append(" - ").append(message).toString(), max);
  }

  private static String json(ILoggingEvent event, String message, int max) {
    for (int bytes = max; ; bytes /= 2) {
      String line =
          new JsonObject()
              .put("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())))
              .put("level", event.getLevel().toString())
              .put("logger", cut(event.getLoggerName(), max / 2))
              .put("message", cut(message, bytes))
              .encode();
      if (line.getBytes(StandardCharsets.UTF_8).length <= max || bytes <= CUT.length()) {
        return line;
      }
    }
  }

  private static String hashed(MatchResult key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(key.group(1).getBytes(StandardCharsets.UTF_8));
      return "key=sha256:" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
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

  /** In one pass: a regular expression would take quadratic time for long white space. */
  private static String inOneLine(String text) {
    int end = text.length();
    while (end > 0 && (isSpace(text.charAt(end - 1)) || text.charAt(end - 1) == '|')) {
      end--;
    }
    StringBuilder line = new StringBuilder(end);
    int next = 0;
    while (next < end) {
      int space = next;
      boolean lineBreak = false;
      while (next < end && isSpace(text.charAt(next))) {
        lineBreak |= text.charAt(next) == '\n' || text.charAt(next) == '\r';
        next++;
      }
      if (next > space) {
        line.append(lineBreak ? " | " : " ".repeat(next - space));
      } else {
        appendEscaped(line, text.charAt(next++));
      }
    }
    return line.toString();
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static void appendEscaped(StringBuilder line, char c) {
    switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          line.append("\\u%04x".formatted((int) c));
      default -> line.append(c);
    }
  }

  /** Cuts a text to a number of bytes in UTF-8. */
  private static String cut(String text, int maxBytes) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= maxBytes) {
      return text;
    }
    int bytes = CUT.length();
    int end = 0;
    while (end < text.length()) {
      int symbol = text.codePointAt(end);
      bytes += symbol < 0x80 ? 1 : symbol < 0x800 ? 2 : symbol < 0x10000 ? 3 : 4;
      if (bytes > maxBytes) {
        break;
      }
      end += Character.charCount(symbol);
    }
    return text.substring(0, end) + CUT;
  }
}
