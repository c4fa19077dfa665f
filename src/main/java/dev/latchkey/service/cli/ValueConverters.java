package dev.latchkey.service.cli;

import dev.latchkey.service.cli.OperationOptions.LogFormat;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses option values. A rejection says what would be valid, never the value, which may be a
 * secret given to the wrong option.
 */
final class ValueConverters {

  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,18})([A-Za-z]*)");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final int MAX_PORT = 65_535;

  /** A hundred years: longer ones overflow the nanoseconds that timers count in. */
  static final long MAX_DURATION_MILLIS = 36_500L * 24 * 3_600_000;

  private ValueConverters() {}

  /** {@code 250ms}, {@code 10s}, {@code 5m}, {@code 24h}, {@code 30d}; positive. */
  static class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      long millis = product(value, MILLIS).orElse(0);
      if (millis < 1 || millis > MAX_DURATION_MILLIS) {
        throw rejected("a duration from 1ms to 36500d such as 250ms, 10s, 5m, 24h or 30d");
      }
      return Duration.ofMillis(millis);
    }
  }

  /** A duration, or zero: {@code 0s}. */
  static final class PauseConverter extends DurationConverter {
    @Override
    public Duration convert(String value) {
      return product(value, MILLIS).orElse(-1) == 0 ? Duration.ZERO : super.convert(value);
    }
  }

  /** Bytes, or {@code 64KiB}, {@code 1MiB}, {@code 2GiB}; zero or more. */
  static final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      return product(value, BYTES)
          .orElseThrow(() -> rejected("a size such as 1048576, 64KiB, 1MiB or 2GiB"));
    }
  }

  /** A size in memory, 1 byte to 2 GiB less one. */
  static final class BufferSizeConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      long bytes = product(value, BYTES).orElse(0);
      if (bytes < 1 || bytes > Integer.MAX_VALUE) {
        throw rejected("a positive size below 2GiB such as 64KiB or 1MiB");
      }
      return (int) bytes;
    }
  }

  /** A number of things, at least one. */
  static class CountConverter implements ITypeConverter<Integer> {
    private final int min;
    private final int max;

    CountConverter() {
      this(1, Integer.MAX_VALUE);
    }

    private CountConverter(int min, int max) {
      this.min = min;
      this.max = max;
    }

    @Override
    public Integer convert(String value) {
      try {
        int number = Integer.parseInt(value);
        if (number >= min && number <= max) {
          return number;
        }
      } catch (NumberFormatException notANumber) {
        // rejected below
      }
      throw rejected("a whole number, " + min + " to " + max);
    }
  }

  /** A TCP port; 0 is any free one. */
  static final class PortConverter extends CountConverter {
    PortConverter() {
      super(0, MAX_PORT);
    }
  }

  /** Enough for statements of both kinds, notifications and transactions. */
  static final class PostgresConnectionsConverter extends CountConverter {
    PostgresConnectionsConverter() {
      super(5, Integer.MAX_VALUE);
    }
  }

  /** The number of HTTP verticles. */
  static final class InstancesConverter extends CountConverter {
    InstancesConverter() {
      super(1, 1_024);
    }
  }

  /** The base of an HTTP service: scheme http or https, and a host. */
  static final class HttpUrlConverter implements ITypeConverter<URI> {
    @Override
    public URI convert(String value) {
      try {
        URI uri = new URI(value);
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null;
        if (http && plain && uri.getHost() != null && uri.getPort() <= MAX_PORT) {
          return uri;
        }
      } catch (URISyntaxException notAUri) {
        // rejected below
      }
      throw rejected("a plain HTTP URL such as http://127.0.0.1:8090");
    }
  }

  /** A file or directory. */
  static final class PathConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
      try {
        if (!value.isBlank()) {
          return Path.of(value);
        }
      } catch (InvalidPathException notAPath) {
        // rejected below
      }
      throw rejected("the path of a file or directory");
    }
  }

  /** The name of a store. */
  static final class StoreKindConverter implements ITypeConverter<StoreKind> {
    @Override
    public StoreKind convert(String value) {
      return StoreKind.of(value).orElseThrow(() -> rejected("one of: " + StoreKind.labels()));
    }
  }

  /** The name of a log format. */
  static final class LogFormatConverter implements ITypeConverter<LogFormat> {
    @Override
    public LogFormat convert(String value) {
      return switch (value) {
        case "text" -> LogFormat.TEXT;
        case "json" -> LogFormat.JSON;
        default -> throw rejected("one of: text, json");
      };
    }
  }

  /** Any text that is not blank: an empty secret or host is a mistake. */
  static final class TextConverter implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      if (value.isBlank()) {
        throw new TypeConversionException("it is empty");
      }
      return value;
    }
  }

  private static OptionalLong product(String value, Map<String, Long> units) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(value);
    Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null) {
      return OptionalLong.empty();
    }
    long count = Long.parseLong(matcher.group(1));
    return count <= Long.MAX_VALUE / unit ? OptionalLong.of(count * unit) : OptionalLong.empty();
  }

  private static TypeConversionException rejected(String wanted) {
    return new TypeConversionException("it is not " + wanted);
  }
}
