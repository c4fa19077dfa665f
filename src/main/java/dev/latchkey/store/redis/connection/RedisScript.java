package dev.latchkey.store.redis.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script and its hash. Immutable.
 *
 * @param text the source; it must name every key it touches in {@code KEYS}, all of one tenant
 * @param sha1 of the text in UTF-8, in lower-case hexadecimal digits
 */
public record RedisScript(String text, String sha1) {

  /**
   * Hashes a script.
   *
   * @param text the source
   * @return the script
   */
  public static RedisScript of(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return new RedisScript(text, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Reads Lua from the class path.
   *
   * @param neighbour a class in the package of the resource
   * @param name such as {@code claim.lua}
   * @return the source
   * @throws IllegalStateException when there is no such resource
   */
  public static String resource(Class<?> neighbour, String name) {
    try (InputStream in = neighbour.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no script " + name + " next to " + neighbour.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
