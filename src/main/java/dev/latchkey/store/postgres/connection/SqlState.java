package dev.latchkey.store.postgres.connection;

import io.vertx.pgclient.PgException;

/** The meaning of the server's error codes for the store. */
public final class SqlState {

  /** Raised by {@code latchkey_refuse}. */
  public static final String REFUSED = "LK001";

  /** Raised by {@code latchkey_lost}. */
  public static final String LOST = "LK002";

  /** A statement of this transaction failed before. */
  public static final String FAILED_TRANSACTION = "25P02";

  private static final String LOCK_TIMEOUT = "55P03";
  private static final String READ_ONLY = "25006";

  private SqlState() {}

  /** Returns the error code, empty if there is none. */
  public static String of(PgException refused) {
    String state = refused.getSqlState();
    return state == null ? "" : state;
  }

  /** An effect does not apply: refused by its own check, by a constraint, or as invalid data. */
  public static boolean isRefusal(PgException refused) {
    String state = of(refused);
    return state.equals(REFUSED)
        || state.startsWith("23")
        || state.startsWith("22")
        || state.startsWith("44");
  }

  /** The server cancelled the statement. */
  public static boolean isTimeout(PgException refused) {
    return of(refused).equals("57014");
  }

  /** Another transaction conflicted: a retry may succeed. */
  public static boolean isContention(PgException refused) {
    String state = of(refused);
    return state.equals(LOCK_TIMEOUT) || state.equals("40P01") || state.equals("40001");
  }

  /** The connection is unusable, or leads to a server that accepts no writes. */
  public static boolean endsConnection(PgException refused) {
    String state = of(refused);
    return isBroken(state)
        || state.equals(READ_ONLY)
        || state.equals("26000")
        || state.equals("0A000");
  }

  /** The server accepts no writes, for example a standby. */
  public static boolean refusesWrites(PgException refused) {
    return of(refused).equals(READ_ONLY);
  }

  /** The server ended before it could tell the outcome of the statement. */
  public static boolean leavesUnknown(PgException refused) {
    return isBroken(of(refused));
  }

  private static boolean isBroken(String state) {
    return state.isEmpty()
        || state.startsWith("57P0")
        || state.startsWith("08")
        || state.startsWith("58")
        || state.equals("40003");
  }
}
