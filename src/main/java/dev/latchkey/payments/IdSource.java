package dev.latchkey.payments;

import java.security.SecureRandom;
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
   * The usual source: 128 random bits as lower-case hexadecimal digits.
   *
   * @return the source
   */
  static IdSource random() {
    SecureRandom random = new SecureRandom();
    return prefix -> {
      byte[] bits = new byte[16];
      random.nextBytes(bits);
      return prefix + HexFormat.of().formatHex(bits);
    };
  }
}
