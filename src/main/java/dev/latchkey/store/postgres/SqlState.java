package dev.latchkey.store.postgres;

import io.vertx.pgclient.PgException;

/** What the server's error codes mean for the store. */
final class SqlState {

  /** Raised by {@code latchkey_refuse}. */
  static final String REFUSED = "LK001";

  /** Raised by {@code latchkey_lost}. */
  static final String LOST = "LK002";

  static final String FAILED_TRANSACTION = "25P02";
  private static final String LOCK_TIMEOUT = "55P03";
  private static final String CANCELLED = "57014";

  private static final String READ_ONLY = "25006";

  private SqlState() {}

  static String of(PgException refused) {
    String state = refused.getSqlState();
    return state == null ? "" : state;
  }

  /** An effect that does not apply: refused by itself, a constraint, or as no valid data. */
  static boolean isRefusal(PgException refused) {
    String state = of(refused);
    return state.equals(REFUSED)
        || state.startsWith("23")
        || state.startsWith("22")
        || state.startsWith("44");
  }

  /** Another transaction was in the way: the same statement may succeed next time. */
  static boolean isContention(PgException refused) {
    String state = of(refused);
    return state.equals(LOCK_TIMEOUT) || state.equals("40P01") || state.equals("40001");
  }

  /** One of a batch may be to blame, so that the others are worth sending by themselves. */
  static boolean mayConcernOneOfMany(PgException refused) {
    return isRefusal(refused)
        || isContention(refused)
        || of(refused).equals(LOST)
        || of(refused).equals(CANCELLED);
  }

  /** The connection cannot go on, or leads to a server that cannot be written to. */
  static boolean endsConnection(PgException refused) {
    String state = of(refused);
    return isBroken(state)
        || state.equals(READ_ONLY)
        || state.equals("26000")
        || state.equals("0A000");
  }

  /** The server takes no writes, as one that is a standby. */
  static boolean refusesWrites(PgException refused) {
    return of(refused).equals(READ_ONLY);
  }

  /** The server ended before it could say what became of the statement. */
  static boolean leavesUnknown(PgException refused) {
    return isBroken(of(refused));
  }

  private static boolean isBroken(String state) {
    return state.isEmpty()
        || state.startsWith("57P0")
        || state.startsWith("08")
        || state.startsWith("XX")
        || state.startsWith("58")
        || state.equals("40003");
  }
}
