package dev.latchkey.payments;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;

/** Creates ids. Called on any thread. */
@FunctionalInterface
public interface IdSource {

  /**
   * Creates a unique id.
   *
   * @param prefix for the kind of resource, such as {@code pay_}
   * @return the prefix and letters and digits
   */
  String next(String prefix);

  /**
   * Returns the default source: 48 bits of milliseconds since 1970 and 80 random bits, as
   * lower-case hexadecimal digits. Ids of about the same time are close to each other in an index,
   * which therefore grows at one end. Ids of the same millisecond, or of different clocks, have no
   * order.
   *
   * @param clock source of the time
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
