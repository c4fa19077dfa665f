package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.net.ConnectionFailure;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;

/** Makes of whatever went wrong the one exception that a store may fail with. */
final class Failures {

  private static final String SAFE = "; a retry is safe";

  /** Says nothing of what was done, since a read that broke is told as not done. */
  private static final String AGAIN = "; the same may be sent again";

  private Failures() {}

  static StoreException of(String operation, Throwable cause) {
    if (cause instanceof StoreException told) {
      String message = String.valueOf(told.getMessage());
      return message.startsWith(operation + ": ")
          ? told
          : new StoreException(told.outcome(), operation + ": " + message, cause);
    }
    if (cause instanceof PgException refused) {
      String said = operation + ": Postgres says " + sayOf(refused);
      return SqlState.leavesUnknown(refused)
          ? unknown(said, cause)
          : new StoreException(Outcome.NOT_DONE, said + SAFE, cause);
    }
    return unknown(operation + ": the connection to Postgres broke: " + cause, cause);
  }

  /** Fails as {@link #of} says. */
  static <T> Future<T> told(String operation, Future<T> call) {
    return call.recover(cause -> Future.failedFuture(of(operation, cause)));
  }

  /** Nothing was done, and the next attempt may fare better. */
  static StoreException notDone(String reason) {
    return new StoreException(Outcome.NOT_DONE, reason + SAFE);
  }

  /** Nothing was done, nor will be by the same call again. */
  static StoreException hopeless(String reason) {
    return new StoreException(Outcome.NOT_DONE, reason + "; a retry cannot help");
  }

  /** Whether it was done cannot be told. */
  static StoreException unknown(String reason) {
    return new StoreException(Outcome.UNKNOWN, reason + AGAIN);
  }

  static StoreException unknown(String reason, Throwable cause) {
    return new StoreException(Outcome.UNKNOWN, reason + AGAIN, cause);
  }

  /** What went wrong with a connection, in few words. */
  static String reason(Throwable cause) {
    if (cause instanceof PgException refused) {
      return sayOf(refused);
    }
    return ConnectionFailure.reason(cause);
  }

  /** The server's words, save where they may quote what was written. */
  static String sayOf(PgException refused) {
    String state = SqlState.of(refused);
    String constraint = refused.getConstraint();
    if (constraint != null) {
      return state + ", constraint " + constraint;
    }
    boolean mayQuote = state.startsWith("22") || state.startsWith("23");
    return mayQuote ? state : state + ": " + refused.getErrorMessage();
  }
}
