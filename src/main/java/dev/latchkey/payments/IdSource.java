package dev.latchkey.payments;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;

/** Makes ids. Called on any thread. */
@FunctionalInterface
public interface IdSource {

  /**
   * Makes an id that was never made before.
   *
   * @param prefix what kind of thing it names, such as {@code pay_}
   * @return the prefix and what tells it from all others: letters and digits
   */
  String next(String prefix);

  /**
   * The usual source: 48 bits of milliseconds since 1970 and 80 random bits, as lower-case
   * hexadecimal digits. What is made about the same time stands together in an index, which
   * therefore grows at one end instead of everywhere. Within a millisecond, and on clocks that are
   * not together, the order means nothing.
   *
   * @param clock where the time comes from
   * @return the source
   */
  static IdSource timeOrdered(InstantSource clock) {
    SecureRandom random = new SecureRandom();
    HexFormat hex = HexFormat.of();
    return prefix -> {
      byte[] bits = new byte[10];
      random.nextBytes(bits);
      return prefix + hex.toHexDigits(clock.millis(), 12) + hex.formatHex(bits);
    };
  }
}
