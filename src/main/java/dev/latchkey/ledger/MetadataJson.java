package dev.latchkey.ledger;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;

/** Writes metadata as a JSON object, with its order and every digit of a number. Stateless. */
public final class MetadataJson {

  private MetadataJson() {}

  /**
   * Writes the object as the next value.
   *
   * @param json the target; used by one thread at a time
   * @param metadata to write
   * @throws IOException if the target of the generator throws it
   */
  public static void write(JsonGenerator json, Metadata metadata) throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, Metadata.Value> member : metadata.members().entrySet()) {
      json.writeFieldName(member.getKey());
      write(json, member.getValue());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Metadata.Value value) throws IOException {
    if (value instanceof Metadata.Text text) {
      json.writeString(text.text());
    } else if (value instanceof Metadata.Numeric numeric) {
      json.writeNumber(numeric.number());
    } else if (value instanceof Metadata.Flag flag) {
      json.writeBoolean(flag.flag());
    }
  }
}
