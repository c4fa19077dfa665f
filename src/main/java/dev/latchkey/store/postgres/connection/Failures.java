package dev.latchkey.store.postgres.connection;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.net.ConnectionFailure;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;

/** Converts failures to {@link StoreException}, the only exception that a store may fail with. */
public final class Failures {

  private static final String SAFE = "; a retry is safe";

  private static final String REPEATABLE = "; the same call may be repeated";

  private Failures() {}

  /** Converts a failure of an operation, whose name begins the message. */
  public static StoreException of(String operation, Throwable cause) {
    if (cause instanceof StoreException told) {
      String message = String.valueOf(told.getMessage());
      return message.startsWith(operation + ": ")
          ? told
          : new StoreException(told.outcome(), operation + ": " + message, cause);
    }
    if (cause instanceof PgException refused) {
      String said = operation + ": Postgres says " + message(refused);
      return SqlState.leavesUnknown(refused)
          ? unknown(said, cause)
          : new StoreException(Outcome.NOT_DONE, said + SAFE, cause);
    }
    return unknown(operation + ": the connection to Postgres broke: " + cause, cause);
  }

  /** Converts the failure of a call. */
  public static <T> Future<T> converted(String operation, Future<T> call) {
    return call.recover(cause -> Future.failedFuture(of(operation, cause)));
  }

  /** Nothing was done; a retry may succeed. */
  public static StoreException notDone(String reason) {
    return new StoreException(Outcome.NOT_DONE, reason + SAFE);
  }

  /** Too many calls wait for a connection; nothing was done. */
  public static StoreException tooManyWait(int calls) {
    return notDone(calls + " calls wait for Postgres already");
  }

  /** Nothing was done, and no retry of the same call can succeed. */
  public static StoreException permanent(String reason) {
    return new StoreException(Outcome.NOT_DONE, reason + "; a retry cannot help");
  }

  /** The call may have taken effect. */
  public static StoreException unknown(String reason) {
    return new StoreException(Outcome.UNKNOWN, reason + REPEATABLE);
  }

  /** As above, with a cause. */
  public static StoreException unknown(String reason, Throwable cause) {
    return new StoreException(Outcome.UNKNOWN, reason + REPEATABLE, cause);
  }

  /** Returns why a connection failed, in one line. */
  public static String reason(Throwable cause) {
    if (cause instanceof PgException refused) {
      boolean pooler =
          String.valueOf(refused.getErrorMessage()).contains("unsupported startup parameter");
      return (pooler ? "a pooler such as PgBouncer refuses the session settings: " : "")
          + message(refused);
    }
    return ConnectionFailure.reason(cause);
  }

  /** Returns the server's message, except where it may quote the values of a statement. */
  public static String message(PgException refused) {
    String state = SqlState.of(refused);
    String constraint = refused.getConstraint();
    if (constraint != null) {
      return state + ", constraint " + constraint;
    }
    boolean mayQuote = state.startsWith("22") || state.startsWith("23");
    return mayQuote ? state : state + ": " + refused.getErrorMessage();
  }
}
