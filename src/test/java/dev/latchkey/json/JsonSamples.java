package dev.latchkey.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random JSON values as plain Java objects (maps, lists, strings, BigDecimals, booleans, {@link
 * #NULL}), and their many spellings.
 */
public final class JsonSamples {

  /** Stands for JSON null. */
  static final Object NULL = new StringBuilder("null");

  private static final List<String> AWKWARD =
      List.of("", "a", "b", "c", "\ue000", "\ud83d\ude00", "~/", "\"\\");

  private JsonSamples() {}

  /** A value of any kind. */
  public static Object value(Random random) {
    return value(random, 4);
  }

  /** An object. */
  public static Map<String, Object> object(Random random) {
    return object(random, 3);
  }

  private static Object value(Random random, int levels) {
    return switch (random.nextInt(levels == 0 ? 6 : 10)) {
      case 0, 1 -> string(random);
      case 2, 3 -> number(random);
      case 4 -> random.nextBoolean();
      case 5 -> NULL;
      case 6, 7 -> list(random, levels - 1);
      default -> object(random, levels - 1);
    };
  }

  private static List<Object> list(Random random, int levels) {
    List<Object> list = new ArrayList<>();
    for (int n = random.nextInt(5); n > 0; n--) {
      list.add(value(random, levels));
    }
    return list;
  }

  private static Map<String, Object> object(Random random, int levels) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int n = random.nextInt(6); n > 0; n--) {
      object.put(string(random), value(random, levels));
    }
    return object;
  }

  private static BigDecimal number(Random random) {
    BigInteger unscaled = new BigInteger(1 + random.nextInt(90), random);
    int scale = random.nextInt(3) == 0 ? 0 : random.nextInt(80) - 40;
    return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
  }

  private static String string(Random random) {
    if (random.nextInt(3) == 0) {
      return AWKWARD.get(random.nextInt(AWKWARD.size()));
    }
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(6); n > 0; n--) {
      int limit = random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT;
      int codePoint = 1 + random.nextInt(limit);
      text.appendCodePoint(Character.getType(codePoint) == Character.SURROGATE ? 'x' : codePoint);
    }
    return text.toString();
  }

  /** Tells values apart as the fingerprint has to: members by name, numbers by value. */
  public static boolean same(Object one, Object other) {
    if (one instanceof BigDecimal number && other instanceof BigDecimal that) {
      return number.compareTo(that) == 0;
    }
    if (one instanceof List<?> list && other instanceof List<?> that) {
      if (list.size() != that.size()) {
        return false;
      }
      for (int i = 0; i < list.size(); i++) {
        if (!same(list.get(i), that.get(i))) {
          return false;
        }
      }
      return true;
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> that) {
      return map.keySet().equals(that.keySet())
          && map.keySet().stream().allMatch(name -> same(map.get(name), that.get(name)));
    }
    return one.equals(other);
  }

  /** Writes a value in one of its spellings, as the random numbers want it. */
  public static String spell(Object value, Random random) {
    StringBuilder text = new StringBuilder();
    spell(value, random, text);
    return text.toString();
  }

  private static void spell(Object value, Random random, StringBuilder text) {
    space(random, text);
    if (value instanceof Map<?, ?> map) {
      text.append('{');
      List<Object> names = new ArrayList<>(map.keySet());
      Collections.shuffle(names, random);
      for (Object name : names) {
        text.append(name == names.get(0) ? "" : ",");
        spell(name, random, text);
        text.append(':');
        spell(map.get(name), random, text);
      }
      text.append('}');
    } else if (value instanceof List<?> list) {
      text.append('[');
      for (int i = 0; i < list.size(); i++) {
        text.append(i == 0 ? "" : ",");
        spell(list.get(i), random, text);
      }
      text.append(']');
    } else if (value instanceof String string) {
      text.append('"');
      string.codePoints().forEach(c -> spell(c, random, text));
      text.append('"');
    } else if (value instanceof BigDecimal number) {
      text.append(spell(number, random));
    } else {
      text.append(value);
    }
    space(random, text);
  }

  private static void spell(int codePoint, Random random, StringBuilder text) {
    boolean must = codePoint < ' ' || codePoint == '"' || codePoint == '\\';
    if (must || random.nextInt(4) == 0) {
      String escape = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
      for (char c : Character.toChars(codePoint)) {
        text.append(String.format(escape, (int) c));
      }
    } else if (codePoint == '/' && random.nextBoolean()) {
      text.append("\\/");
    } else {
      text.appendCodePoint(codePoint);
    }
  }

  private static String spell(BigDecimal number, Random random) {
    String sign = number.signum() < 0 || (number.signum() == 0 && random.nextBoolean()) ? "-" : "";
    return switch (random.nextInt(4)) {
      case 0 -> sign + number.abs().toPlainString();
      case 1 -> sign + number.abs().toString();
      case 2 -> sign + number.abs().stripTrailingZeros().toEngineeringString();
      default -> {
        BigDecimal longer = number.abs().setScale(Math.max(0, number.scale()) + 3);
        yield sign + longer.unscaledValue() + "e" + -longer.scale();
      }
    };
  }

  private static void space(Random random, StringBuilder text) {
    for (int n = random.nextInt(8) - 5; n > 0; n--) {
      text.append(" \t\r\n".charAt(random.nextInt(4)));
    }
  }
}
