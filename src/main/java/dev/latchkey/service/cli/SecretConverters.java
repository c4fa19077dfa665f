package dev.latchkey.service.cli;

import dev.latchkey.service.cli.ValueConverters.TextConverter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses option values that are secrets or contain one. */
final class SecretConverters {

  private static final long MAX_FILE_BYTES = 1 << 20;

  private SecretConverters() {}

  /** A Postgres URI, or {@code @FILE}. */
  static final class PostgresConverter implements ITypeConverter<PostgresLocation> {
    @Override
    public PostgresLocation convert(String value) {
      return location(value, PostgresLocation::parse);
    }
  }

  /** A Redis URI, the nodes of a cluster, or {@code @FILE}. */
  static final class RedisConverter implements ITypeConverter<RedisLocation> {
    @Override
    public RedisLocation convert(String value) {
      return location(value, RedisLocation::parse);
    }
  }

  /** A secret, or {@code @FILE}. */
  static final class SecretConverter implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      return new TextConverter().convert(secret(value));
    }
  }

  /** Returns the value, or for {@code @FILE} the file's content without the last line break. */
  private static String secret(String value) {
    if (!value.startsWith("@")) {
      return value;
    }
    try {
      Path file = Path.of(value.substring(1));
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new TypeConversionException("its file is larger than 1MiB");
      }
      String content = Files.readString(file);
      int end = content.length() - (content.endsWith("\n") ? 1 : 0);
      return content.substring(0, end > 0 && content.charAt(end - 1) == '\r' ? end - 1 : end);
    } catch (IOException | InvalidPathException e) {
      // Without the path: a secret that begins with @ would show.
      throw new TypeConversionException(
          "its file cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static <T> T location(String value, Function<String, T> parser) {
    String uri = secret(value);
    try {
      return parser.apply(uri);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
