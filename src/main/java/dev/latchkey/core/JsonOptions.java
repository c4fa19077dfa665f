package dev.latchkey.core;

import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Reads options from JSON. An absent or null member leaves the default. An unknown member or a
 * value of the wrong type throws IllegalArgumentException. Not thread-safe.
 */
public final class JsonOptions {

  private final JsonObject json;
  private final Set<String> unread;

  /**
   * Starts reading.
   *
   * @param json one member per option
   */
  public JsonOptions(JsonObject json) {
    this.json = json;
    unread = new TreeSet<>(json.fieldNames());
  }

  /**
   * Reads a member of a given type.
   *
   * @param name of the member
   * @param type that the value must have
   * @param setter called with the value if there is one
   * @param <T> the type
   */
  public <T> void read(String name, Class<T> type, Consumer<T> setter) {
    unread.remove(name);
    Object value = json.getValue(name);
    if (value == null) {
      return;
    }
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          name + " must be a " + type.getSimpleName() + ", not " + value);
    }
    setter.accept(type.cast(value));
  }

  /**
   * Reads a whole number.
   *
   * @param name of the member
   * @param setter called with the number if there is one
   */
  public void readLong(String name, LongConsumer setter) {
    read(
        name,
        Number.class,
        number -> {
          if (number.doubleValue() != number.longValue()) {
            throw new IllegalArgumentException(name + " must be a whole number, not " + number);
          }
          setter.accept(number.longValue());
        });
  }

  /**
   * Reads a whole number of at most 31 bits.
   *
   * @param name of the member
   * @param setter called with the number if there is one
   */
  public void readInt(String name, IntConsumer setter) {
    readLong(
        name,
        value -> {
          if (value != (int) value) {
            throw new IllegalArgumentException(name + " is too large: " + value);
          }
          setter.accept((int) value);
        });
  }

  /** Rejects members that were not read. */
  public void finish() {
    if (!unread.isEmpty()) {
      throw new IllegalArgumentException("unknown options: " + String.join(", ", unread));
    }
  }
}
