package dev.latchkey.service.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses option values. A rejection names the value and what would be valid. */
final class ValueConverters {

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,18})(ms|s|m|h)");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})(|KiB|MiB|GiB)");
  private static final Map<String, Integer> SHIFT = Map.of("", 0, "KiB", 10, "MiB", 20, "GiB", 30);
  private static final int MAX_PORT = 65_535;
  private static final int MAX_INSTANCES = 1_024;

  /** A hundred years: longer ones overflow the nanoseconds that timers count in. */
  static final long MAX_DURATION_MILLIS = 36_500L * 24 * 3_600_000;

  private ValueConverters() {}

  /** {@code 250ms}, {@code 10s}, {@code 5m}, {@code 24h}; positive, at most a hundred years. */
  static final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      Matcher matcher = DURATION.matcher(value);
      if (matcher.matches()) {
        long count = Long.parseLong(matcher.group(1));
        long unitMillis = MILLIS.getOrDefault(matcher.group(2), 1L);
        if (count > 0 && count <= MAX_DURATION_MILLIS / unitMillis) {
          return Duration.ofMillis(count * unitMillis);
        }
      }
      throw rejected(value, "a duration from 1ms to 876000h such as 250ms, 10s, 5m or 24h");
    }
  }

  /** Bytes, or {@code 64KiB}, {@code 1MiB}, {@code 2GiB}; zero or more. */
  static final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      OptionalLong bytes = bytes(value);
      if (bytes.isEmpty()) {
        throw rejected(value, "a size such as 1048576, 64KiB, 1MiB or 2GiB");
      }
      return bytes.getAsLong();
    }
  }

  /** A size in memory, 1 byte to 2 GiB less one. */
  static final class BufferSizeConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      long bytes = bytes(value).orElse(0);
      if (bytes < 1 || bytes > Integer.MAX_VALUE) {
        throw rejected(value, "a positive size below 2GiB such as 64KiB or 1MiB");
      }
      return (int) bytes;
    }
  }

  /** A number of things, at least one. */
  static final class CountConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      try {
        int count = Integer.parseInt(value);
        if (count > 0) {
          return count;
        }
      } catch (NumberFormatException notANumber) {
        // rejected below
      }
      throw rejected(value, "a whole number, 1 to " + Integer.MAX_VALUE);
    }
  }

  /** A TCP port; 0 is any free one. */
  static final class PortConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      try {
        int port = Integer.parseInt(value);
        if (port >= 0 && port <= MAX_PORT) {
          return port;
        }
      } catch (NumberFormatException notANumber) {
        // rejected below
      }
      throw rejected(value, "a port, 0 (any free one) to " + MAX_PORT);
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
      throw rejected(value, "a plain HTTP URL such as http://127.0.0.1:8090");
    }
  }

  /** A directory; where it lies is its user's business. */
  static final class DirectoryConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
      try {
        if (!value.isBlank()) {
          return Path.of(value);
        }
      } catch (InvalidPathException notAPath) {
        // rejected below
      }
      throw rejected(value, "the path of a directory");
    }
  }

  /** The number of HTTP verticles, 1 to 1024. */
  static final class InstancesConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      int count = new CountConverter().convert(value);
      if (count > MAX_INSTANCES) {
        throw rejected(value, "a number of verticles, 1 to " + MAX_INSTANCES);
      }
      return count;
    }
  }

  /** The name of a store. */
  static final class StoreKindConverter implements ITypeConverter<StoreKind> {
    @Override
    public StoreKind convert(String value) {
      return StoreKind.of(value)
          .orElseThrow(() -> rejected(value, "one of: " + StoreKind.labels()));
    }
  }

  /** A Postgres URI. No message shows a password. */
  static final class PostgresConverter implements ITypeConverter<PostgresLocation> {
    @Override
    public PostgresLocation convert(String value) {
      return location(() -> PostgresLocation.parse(value));
    }
  }

  /** A Redis URI or the nodes of a cluster. No message shows a password. */
  static final class RedisConverter implements ITypeConverter<RedisLocation> {
    @Override
    public RedisLocation convert(String value) {
      return location(() -> RedisLocation.parse(value));
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

  private static <T> T location(Supplier<T> parsing) {
    try {
      return parsing.get();
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static OptionalLong bytes(String value) {
    Matcher matcher = SIZE.matcher(value);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long count = Long.parseLong(matcher.group(1));
    int shift = SHIFT.getOrDefault(matcher.group(2), 0);
    return count <= Long.MAX_VALUE >> shift
        ? OptionalLong.of(count << shift)
        : OptionalLong.empty();
  }

  private static TypeConversionException rejected(String value, String wanted) {
    return new TypeConversionException("'" + value + "' is not " + wanted);
  }
}
