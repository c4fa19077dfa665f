package dev.latchkey.service;

import java.util.Locale;
import java.util.Optional;

/** What keeps idempotency records, or payments. */
enum StoreKind {
  /** This process, for as long as it lives. */
  MEMORY,
  /** A Postgres that nodes share. */
  POSTGRES,
  /** A Redis, or a cluster of them, that nodes share. */
  REDIS;

  /** Returns its name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Finds a kind by its name on the command line. */
  static Optional<StoreKind> of(String label) {
    for (StoreKind kind : values()) {
      if (kind.label().equals(label)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
