package dev.latchkey.ledger;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A client's own values of a payment. They are returned without loss and in their order. Immutable.
 *
 * @param members by name; up to {@value #MAX_MEMBERS}, names up to {@value #MAX_NAME_CHARS}
 *     characters
 */
public record Metadata(Map<String, Value> members) {

  /** Limit of the number of members. */
  public static final int MAX_MEMBERS = 50;

  /** Length limit of a name, in characters. */
  public static final int MAX_NAME_CHARS = 40;

  /** Length limit of a text, in characters. */
  public static final int MAX_TEXT_CHARS = 500;

  /** No members. */
  public static final Metadata NONE = new Metadata(Map.of());

  /** Copies the members. */
  public Metadata {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** One value. */
  public sealed interface Value {}

  /**
   * A string.
   *
   * @param text up to {@value #MAX_TEXT_CHARS} characters
   */
  public record Text(String text) implements Value {}

  /**
   * A number, exact.
   *
   * @param number its value
   */
  public record Numeric(BigDecimal number) implements Value {}

  /**
   * A boolean.
   *
   * @param flag its value
   */
  public record Flag(boolean flag) implements Value {}
}
