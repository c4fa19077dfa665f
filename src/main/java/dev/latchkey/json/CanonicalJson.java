package dev.latchkey.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes the canonical form of a JSON value: RFC 8785, except that numbers are compared by their
 * exact decimal value and not by the nearest double. Two texts have the same canonical form exactly
 * if they differ only in white space, order of members, escapes and spelling of numbers. The result
 * is never longer than a small multiple of the text that was parsed. Stateless.
 */
public final class CanonicalJson {

  /** ECMAScript writes larger numbers with an exponent. */
  private static final int MAX_PLAIN_POINT = 21;

  private static final int MIN_PLAIN_POINT = -6;

  private static final String HEX = "0123456789abcdef";

  private CanonicalJson() {}

  /** Called for each member of an object in canonical order. */
  @FunctionalInterface
  public interface MemberVisitor {

    /**
     * The value of a member was appended to the target.
     *
     * @param name of the member
     * @param start where its canonical value begins in the target; it ends at the current end
     */
    void written(String name, int start);
  }

  /**
   * Appends the canonical form of a value.
   *
   * @param value a value that {@link StrictJson} parsed
   * @param target to append to
   */
  public static void write(JsonNode value, StringBuilder target) {
    switch (value.getNodeType()) {
      case OBJECT -> writeObject(value, target, (name, start) -> {});
      case ARRAY -> writeArray(value, target);
      case STRING -> writeText(value.textValue(), target);
      case NUMBER -> writeNumber(value, target);
      default -> target.append(value.asText());
    }
  }

  /**
   * Appends the canonical form of an object.
   *
   * @param object an object that {@link StrictJson} parsed
   * @param target to append to
   * @param visitor called after each member
   */
  public static void writeObject(JsonNode object, StringBuilder target, MemberVisitor visitor) {
    List<Map.Entry<String, JsonNode>> members = new ArrayList<>(object.properties());
    members.sort(Map.Entry.comparingByKey());
    target.append('{');
    String separator = "";
    for (Map.Entry<String, JsonNode> member : members) {
      target.append(separator);
      writeText(member.getKey(), target);
      target.append(':');
      int start = target.length();
      write(member.getValue(), target);
      visitor.written(member.getKey(), start);
      separator = ",";
    }
    target.append('}');
  }

  private static void writeArray(JsonNode array, StringBuilder target) {
    target.append('[');
    String separator = "";
    for (JsonNode element : array) {
      target.append(separator);
      write(element, target);
      separator = ",";
    }
    target.append(']');
  }

  private static void writeText(String text, StringBuilder target) {
    int plain = plainChars(text);
    target.append('"');
    if (plain == text.length()) {
      target.append(text); // several times faster than one character at a time
    } else {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (isPlain(c)) {
          target.append(c);
        } else {
          writeEscape(c, target);
        }
      }
    }
    target.append('"');
  }

  private static int plainChars(String text) {
    int i = 0;
    while (i < text.length() && isPlain(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c != '"' && c != '\\';
  }

  private static void writeEscape(char c, StringBuilder target) {
    target.append('\\');
    switch (c) {
      case '"', '\\' -> target.append(c);
      case '\b' -> target.append('b');
      case '\t' -> target.append('t');
      case '\n' -> target.append('n');
      case '\f' -> target.append('f');
      case '\r' -> target.append('r');
      default -> target.append("u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
    }
  }

  private static void writeNumber(JsonNode number, StringBuilder target) {
    if (number.isInt() || number.isLong()) {
      target.append(number.longValue());
      return;
    }
    BigDecimal value = number.decimalValue();
    if (value.signum() == 0) {
      target.append('0');
      return;
    }
    if (value.signum() < 0) {
      target.append('-');
    }
    String digits = value.unscaledValue().abs().toString();
    // The value is 0.DIGITS times ten to the power of this.
    int point = digits.length() - value.scale();
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    writeDigits(digits.substring(0, end), point, target);
  }

  private static void writeDigits(String digits, int point, StringBuilder target) {
    int count = digits.length();
    if (point > MAX_PLAIN_POINT || point <= MIN_PLAIN_POINT) {
      target.append(digits.charAt(0));
      if (count > 1) {
        target.append('.').append(digits, 1, count);
      }
      target.append(point > 0 ? "e+" : "e").append(point - 1);
    } else if (point <= 0) {
      target.append("0.").append("0".repeat(-point)).append(digits);
    } else if (count <= point) {
      target.append(digits).append("0".repeat(point - count));
    } else {
      target.append(digits, 0, point).append('.').append(digits, point, count);
    }
  }
}
