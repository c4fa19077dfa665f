package dev.latchkey.store.redis;

import dev.latchkey.core.spi.ScopedKey;
import java.util.HexFormat;

/**
 * Names of keys in Redis. All keys of a tenant share the hash tag {@code {tenant}}, so that one
 * script can touch any of them on a cluster too. The cost is that a tenant is on one node.
 *
 * <p>Every part is escaped, so that parts cannot be confused. Characters that are not printable
 * ASCII, or that separate parts, become {@code %} and four hexadecimal digits for each UTF-16 unit.
 * So names are printable ASCII without spaces.
 */
public final class RedisKeys {

  private static final String PREFIX = "latchkey:{";
  private static final String RECORDS = "}:key:";

  private RedisKeys() {}

  /**
   * Names a key of a tenant.
   *
   * @param tenant whose
   * @param kind what it holds; not {@code key}, which is for idempotency records
   * @param parts which one, any text
   * @return {@code latchkey:{tenant}:kind:part:part}
   */
  public static String name(String tenant, String kind, String... parts) {
    StringBuilder name = new StringBuilder(PREFIX);
    escape(name, tenant);
    name.append("}:").append(kind);
    for (String part : parts) {
      escape(name.append(':'), part);
    }
    return name.toString();
  }

  /**
   * Names something that exists once over all tenants. In a cluster it may be on another node than
   * the keys of a tenant.
   *
   * @param kind what it holds
   * @param part which one, any text
   * @return {@code latchkey:kind:part}
   */
  public static String global(String kind, String part) {
    StringBuilder name = new StringBuilder("latchkey:").append(kind).append(':');
    escape(name, part);
    return name.toString();
  }

  /**
   * Names the string with all records of a client key.
   *
   * @param tenant whose
   * @param key the client's key
   * @return {@code latchkey:{tenant}:key:KEY}
   */
  public static String records(String tenant, String key) {
    return name(tenant, "key", key);
  }

  static String records(ScopedKey key) {
    return records(key.tenant(), key.key());
  }

  /**
   * Escapes a text, such as a route, to the characters of names.
   *
   * @param text any text
   * @return the text in ASCII
   */
  public static String escaped(String text) {
    StringBuilder name = new StringBuilder(text.length() + 8);
    escape(name, text);
    return name.toString();
  }

  /**
   * Reverses {@link #escaped}.
   *
   * @param name its result
   * @return the text
   */
  public static String unescaped(String name) {
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '%') {
        text.append((char) HexFormat.fromHexDigits(name, i + 1, i + 5));
        i += 4;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  /**
   * Reads a message of the scripts: the name of the string, a space, and the route.
   *
   * @param message as published
   * @return the key whose attempt has ended
   * @throws IllegalArgumentException if it has another form
   */
  public static ScopedKey published(String message) {
    int space = message.indexOf(' ');
    int key = message.indexOf(RECORDS);
    if (!message.startsWith(PREFIX) || key < 0 || space < key) {
      throw new IllegalArgumentException("not a published key");
    }
    return new ScopedKey(
        unescaped(message.substring(PREFIX.length(), key)),
        unescaped(message.substring(space + 1)),
        unescaped(message.substring(key + RECORDS.length(), space)));
  }

  private static void escape(StringBuilder to, String part) {
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c > ' ' && c <= '~' && c != '%' && c != ':' && c != '{' && c != '}') {
        to.append(c);
      } else {
        to.append('%').append(HexFormat.of().toHexDigits(c));
      }
    }
  }
}
