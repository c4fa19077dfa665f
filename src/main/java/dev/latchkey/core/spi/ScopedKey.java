package dev.latchkey.core.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An idempotency key in its scope: identifies one operation. The same client key under another
 * tenant or route is another operation.
 *
 * <p>Comparable so that hash tables stay fast when clients choose keys with colliding hashes.
 * Stores do not lock in this order.
 *
 * @param tenant the key's owner, 1 to {@value #MAX_TENANT_CHARS} characters
 * @param route method and route template, such as {@code POST /v1/payments/:id/capture}, without
 *     the values of path parameters; 1 to {@value #MAX_ROUTE_CHARS} characters
 * @param key the client's key, 1 to {@value #MAX_KEY_CHARS} printable ASCII characters
 */
public record ScopedKey(String tenant, String route, String key) implements Comparable<ScopedKey> {

  /** Maximum length of a tenant in characters. */
  public static final int MAX_TENANT_CHARS = 255;

  /** Maximum length of a route in characters. */
  public static final int MAX_ROUTE_CHARS = 512;

  /** Maximum length of a key in characters. */
  public static final int MAX_KEY_CHARS = 255;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a part is empty or too long
   */
  public ScopedKey {
    check("tenant", tenant, MAX_TENANT_CHARS);
    check("route", route, MAX_ROUTE_CHARS);
    check("key", key, MAX_KEY_CHARS);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScopedKey that
        && key.equals(that.key)
        && route.equals(that.route)
        && tenant.equals(that.tenant);
  }

  /** Spread over all bits: hashes of sequential keys would fill few buckets of a table. */
  @Override
  public int hashCode() {
    int hash = 31 * (31 * tenant.hashCode() + route.hashCode()) + key.hashCode();
    hash *= 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }

  @Override
  public int compareTo(ScopedKey other) {
    int order = key.compareTo(other.key);
    if (order == 0) {
      order = route.compareTo(other.route);
    }
    return order == 0 ? tenant.compareTo(other.tenant) : order;
  }

  /**
   * Returns whether a text is a valid client key.
   *
   * @param text any text
   * @return true for 1 to {@value #MAX_KEY_CHARS} printable ASCII characters
   */
  public static boolean isKey(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_KEY_CHARS
        && text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static void check(String part, String text, int maxChars) {
    Objects.requireNonNull(text, part);
    if (text.isEmpty() || text.length() > maxChars) {
      throw new IllegalArgumentException(
          part + " has " + text.length() + " characters; allowed are 1 to " + maxChars);
    }
  }
}
