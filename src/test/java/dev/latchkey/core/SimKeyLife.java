package dev.latchkey.core;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import java.util.HashMap;
import java.util.Map;

/** What really happened to a key, from its first use until it was free or lost. */
final class SimKeyLife {

  final ScopedKey key;
  final Fingerprint fingerprint;
  long endedNanos = Long.MAX_VALUE;

  /** Granted tokens with their times. */
  final Map<Token, Long> grantedNanos = new HashMap<>();

  /** Released tokens with their times. */
  final Map<Token, Long> releasedNanos = new HashMap<>();

  /** Until when a token must keep its claim, on the store's clock. */
  final Map<Token, Long> leases = new HashMap<>();

  Token lastGranted = new Token(0, 0);

  /** The text of the committed response, if any. */
  String committed = "";

  SimKeyLife(ScopedKey key, Fingerprint fingerprint) {
    this.key = key;
    this.fingerprint = fingerprint;
  }

  boolean isOver(long nowNanos) {
    return endedNanos <= nowNanos;
  }
}
