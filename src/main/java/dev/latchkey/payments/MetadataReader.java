package dev.latchkey.payments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.json.StrictJson;
import dev.latchkey.ledger.Metadata;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads metadata, and changes of it, from a body. Collects errors. */
final class MetadataReader {

  private static final int MAX_EXPONENT = 10_000;

  private static final int MAX_SCALE = MAX_EXPONENT + StrictJson.MAX_NUMBER_CHARS;

  private final String name;
  private final FieldErrors errors;

  MetadataReader(String name, FieldErrors errors) {
    this.name = name;
    this.errors = errors;
  }

  Metadata read(JsonNode object) {
    Map<String, Metadata.Value> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : fields(object, Metadata.MAX_MEMBERS)) {
      value(field).ifPresent(it -> members.put(field.getKey(), it));
    }
    return new Metadata(members);
  }

  MetadataChange readChange(JsonNode object) {
    if (object.isNull()) {
      return MetadataChange.CLEAR;
    }
    Map<String, Optional<Metadata.Value>> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : fields(object, MetadataChange.MAX_MEMBERS)) {
      members.put(field.getKey(), field.getValue().isNull() ? Optional.empty() : value(field));
    }
    return new MetadataChange(false, members);
  }

  private Iterable<Map.Entry<String, JsonNode>> fields(JsonNode object, int maxMembers) {
    if (!object.isObject() || object.size() > maxMembers) {
      errors.add("/" + name, "must be an object of at most " + maxMembers + " members");
      return List.of();
    }
    return object::fields;
  }

  private Optional<Metadata.Value> value(Map.Entry<String, JsonNode> field) {
    if (MemberReader.chars(field.getKey()) > Metadata.MAX_NAME_CHARS) {
      errors.add(pointer(field), "a name has at most " + Metadata.MAX_NAME_CHARS + " characters");
    }
    JsonNode value = field.getValue();
    if (value.isTextual() && MemberReader.chars(value.textValue()) <= Metadata.MAX_TEXT_CHARS) {
      return Optional.of(new Metadata.Text(value.textValue()));
    }
    if (value.isNumber()) {
      BigDecimal number = value.decimalValue();
      if (Math.abs((long) number.scale()) > MAX_SCALE) {
        errors.add(pointer(field), "the exponent exceeds " + MAX_EXPONENT);
      }
      return Optional.of(new Metadata.Numeric(number));
    }
    if (value.isBoolean()) {
      return Optional.of(new Metadata.Flag(value.booleanValue()));
    }
    errors.add(
        pointer(field),
        "must be a string of at most "
            + Metadata.MAX_TEXT_CHARS
            + " characters, a number or a boolean");
    return Optional.empty();
  }

  private String pointer(Map.Entry<String, JsonNode> field) {
    return FieldError.pointer("/" + name, field.getKey());
  }
}
