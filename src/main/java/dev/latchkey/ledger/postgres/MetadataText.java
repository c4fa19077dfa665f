package dev.latchkey.ledger.postgres;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.MetadataJson;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Metadata as the text of a JSON object. A column of a JSON type would keep neither the order of
 * members nor every digit of numbers. Pure.
 */
final class MetadataText {

  /**
   * What is read was written here, within the limits of a request: no second limit applies. Tenants
   * share no symbol table.
   */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNumberLength(Integer.MAX_VALUE).build())
          .build();

  private MetadataText() {}

  static String write(Metadata metadata) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      MetadataJson.write(json, metadata);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  /** Reads what {@link #write} wrote; throws {@link IllegalStateException} on anything else. */
  static Metadata read(String text) {
    if (text.equals("{}")) {
      return Metadata.NONE;
    }
    Map<String, Metadata.Value> members = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(text)) {
      expect(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        members.put(name, value(json));
      }
      expect(json.currentToken() == JsonToken.END_OBJECT);
    } catch (IOException damaged) {
      throw new IllegalStateException("stored metadata is damaged", damaged);
    }
    return new Metadata(members);
  }

  private static Metadata.Value value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_STRING -> new Metadata.Text(json.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Metadata.Numeric(json.getDecimalValue());
      case VALUE_TRUE -> new Metadata.Flag(true);
      case VALUE_FALSE -> new Metadata.Flag(false);
      default -> throw new IllegalStateException("stored metadata is damaged");
    };
  }

  private static void expect(boolean sound) {
    if (!sound) {
      throw new IllegalStateException("stored metadata is damaged");
    }
  }
}
