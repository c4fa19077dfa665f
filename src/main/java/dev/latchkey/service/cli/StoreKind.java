package dev.latchkey.service.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A store of keys or payments. */
public enum StoreKind {
  /** The memory of this process. */
  MEMORY,
  /** A Postgres database shared by nodes. */
  POSTGRES,
  /** A Redis server or cluster shared by nodes. */
  REDIS;

  /** Returns its name on the command line. */
  public String label() {
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

  /** Lists all names. */
  static String labels() {
    return Arrays.stream(values()).map(StoreKind::label).collect(Collectors.joining(", "));
  }
}
