package dev.latchkey.payments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.payments.Command.TextChange;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads and checks the members of a JSON object. It collects errors and returns an empty value for
 * an invalid member. Lengths are in Unicode code points.
 */
final class MemberReader {

  private final JsonNode object;
  private final FieldErrors errors;

  /** Anything but an object is an error and has no members. */
  MemberReader(JsonNode object, FieldErrors errors) {
    this.object = object;
    this.errors = errors;
    if (!object.isObject()) {
      errors.add("", "the body must be a JSON object");
    }
  }

  /** Rejects all other members. */
  MemberReader only(Set<String> known) {
    Iterator<String> names = object.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (!known.contains(name)) {
        errors.add(FieldError.pointer("", name), "unknown member");
      }
    }
    return this;
  }

  long requiredAmount(String name) {
    return object.has(name) ? amount(name).orElse(0) : (long) missing(name, 0L);
  }

  OptionalLong amount(String name) {
    if (!object.has(name)) {
      return OptionalLong.empty();
    }
    JsonNode value = object.get(name);
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      long amount = value.longValue();
      if (amount >= 1 && amount <= PaymentDetails.MAX_AMOUNT) {
        return OptionalLong.of(amount);
      }
    }
    errors.add(
        "/" + name,
        "must be an integer from 1 to "
            + PaymentDetails.MAX_AMOUNT
            + " in minor units, without fraction or exponent");
    return OptionalLong.empty();
  }

  String requiredText(String name, Predicate<String> allowed, String detail) {
    if (!object.has(name)) {
      return missing(name, "");
    }
    JsonNode value = object.get(name);
    if (value.isTextual() && allowed.test(value.textValue())) {
      return value.textValue();
    }
    errors.add("/" + name, detail);
    return "";
  }

  Optional<String> text(String name, int maxChars) {
    if (!object.has(name)) {
      return Optional.empty();
    }
    JsonNode value = object.get(name);
    if (value.isTextual() && chars(value.textValue()) <= maxChars) {
      return Optional.of(value.textValue());
    }
    errors.add("/" + name, "must be a string of at most " + maxChars + " characters");
    return Optional.empty();
  }

  boolean flag(String name, boolean otherwise) {
    if (!object.has(name)) {
      return otherwise;
    }
    JsonNode value = object.get(name);
    if (!value.isBoolean()) {
      errors.add("/" + name, "must be true or false");
    }
    return value.booleanValue();
  }

  /** Reads a text that null removes. */
  TextChange textChange(String name, int maxChars) {
    if (!object.has(name)) {
      return TextChange.KEEP;
    }
    return new TextChange(false, nullableText(name, maxChars));
  }

  /** Reads a text; null means none. */
  Optional<String> nullableText(String name, int maxChars) {
    return object.path(name).isNull() ? Optional.empty() : text(name, maxChars);
  }

  Metadata metadata(String name) {
    return object.has(name)
        ? new MetadataReader(name, errors).read(object.get(name))
        : Metadata.NONE;
  }

  MetadataChange metadataChange(String name) {
    return object.has(name)
        ? new MetadataReader(name, errors).readChange(object.get(name))
        : MetadataChange.NONE;
  }

  private <T> T missing(String name, T otherwise) {
    if (object.isObject()) {
      errors.add("/" + name, "is required");
    }
    return otherwise;
  }

  /** Counts characters: Unicode code points. */
  static int chars(String text) {
    return text.codePointCount(0, text.length());
  }
}
