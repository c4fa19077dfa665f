package dev.latchkey.core;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What a key was from its first use until it was free again, or lost: what really happened. */
final class SimLife {

  final ScopedKey key;
  final Fingerprint fingerprint;
  long endedNanos = Long.MAX_VALUE;

  /** Every token that was granted, and when. */
  final Map<Token, Long> grantedNanos = new HashMap<>();

  final Set<Token> released = new HashSet<>();

  /** Until when a token may not lose its claim, on the store's clock. */
  final Map<Token, Long> leases = new HashMap<>();

  Token lastGranted = new Token(0, 0);

  /** The text of the answer that took effect, or nothing. */
  String committed = "";

  SimLife(ScopedKey key, Fingerprint fingerprint) {
    this.key = key;
    this.fingerprint = fingerprint;
  }

  boolean isOver(long nowNanos) {
    return endedNanos <= nowNanos;
  }
}
