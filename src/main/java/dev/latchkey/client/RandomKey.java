package dev.latchkey.client;

import java.security.SecureRandom;
import java.util.UUID;

/** Random keys: UUIDs of version 7 (RFC 9562, section 5.7), which sort by time in the store. */
final class RandomKey {

  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomKey() {}

  static String next() {
    long high = (System.currentTimeMillis() << 16) | 0x7000 | RANDOM.nextInt(0x1000);
    long low = (RANDOM.nextLong() >>> 2) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }
}
