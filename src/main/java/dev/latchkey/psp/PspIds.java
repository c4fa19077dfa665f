package dev.latchkey.psp;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Where ids and times come from. Safe for use by any thread as far as its source is. */
final class PspIds {
  private static final int ID_BYTES = 16;

  private final RandomGenerator random;
  private final InstantSource clock;

  PspIds(RandomGenerator random, InstantSource clock) {
    this.random = random;
    this.clock = clock;
  }

  static PspIds secure() {
    return new PspIds(new SecureRandom(), InstantSource.system());
  }

  /** Returns the prefix and 128 random bits. */
  String next(String prefix) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return prefix + HexFormat.of().formatHex(bytes);
  }

  long nowMillis() {
    return clock.millis();
  }
}
