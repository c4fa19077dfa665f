package dev.latchkey.service.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads a YAML file that maps names to scalars. Values keep their text, so that a secret like
 * {@code 0123} is not read as an octal number.
 */
final class FlatYaml {

  private static final long MAX_BYTES = 1 << 20;

  private FlatYaml() {}

  /** The file is invalid. The message is one line. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }

  /**
   * Reads a file of at most 1 MiB.
   *
   * @param path the file
   * @return its entries in order
   * @throws MalformedException when it cannot be read or is not a flat map with unique keys
   */
  static Map<String, String> read(Path path) throws MalformedException {
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new MalformedException("it is larger than " + MAX_BYTES + " bytes");
      }
      try (JsonParser parser = new YAMLFactory().createParser(Files.readAllBytes(path))) {
        return entries(parser);
      }
    } catch (NoSuchFileException e) {
      throw new MalformedException("there is no such file");
    } catch (JsonProcessingException e) {
      throw new MalformedException("not YAML at line " + e.getLocation().getLineNr());
    } catch (IOException e) {
      throw new MalformedException("it cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static Map<String, String> entries(JsonParser parser)
      throws IOException, MalformedException {
    Map<String, String> values = new LinkedHashMap<>();
    JsonToken first = parser.nextToken();
    if (first == null) {
      return values;
    }
    if (first != JsonToken.START_OBJECT) {
      throw new MalformedException("it is not a map of option names to values");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.VALUE_NULL || !value.isScalarValue()) {
        throw new MalformedException("the value of '" + key + "' is not a plain value");
      }
      if (values.put(key, parser.getText()) != null) {
        throw new MalformedException("the key '" + key + "' occurs twice");
      }
    }
    if (parser.nextToken() != null) {
      throw new MalformedException("it holds more than one document");
    }
    return values;
  }
}
