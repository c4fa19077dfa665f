package dev.latchkey.ledger;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A client's own notes on a payment, given back by value without loss and in the order they came.
 * Immutable.
 *
 * @param members by name; up to {@value #MAX_MEMBERS}, names up to {@value #MAX_NAME_CHARS}
 *     characters
 */
public record Metadata(Map<String, Value> members) {

  /** Most members. */
  public static final int MAX_MEMBERS = 50;

  /** Longest name, in characters. */
  public static final int MAX_NAME_CHARS = 40;

  /** Longest text, in characters. */
  public static final int MAX_TEXT_CHARS = 500;

  /** No notes. */
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
