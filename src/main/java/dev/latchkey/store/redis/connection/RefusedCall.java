package dev.latchkey.store.redis.connection;

import java.util.Set;

/** The cause of a failed call that a server rejected with an error. Carries no stack trace. */
public final class RefusedCall extends Exception {

  private static final long serialVersionUID = 1L;

  /** Codes of a server that rejects writes but still serves reads. */
  private static final Set<String> WRITES_ONLY = Set.of("OOM", "READONLY", "MISCONF", "NOREPLICAS");

  /** Codes that remain after some attempts if keys of a call are on two servers. */
  private static final Set<String> SPLIT = Set.of(ServerError.TRY_AGAIN, "ASK");

  private final String code;

  RefusedCall(ServerError error) {
    super(error.text(), null, false, false);
    code = error.code();
  }

  /** Whether a call failed because the server rejects writes. */
  public static boolean isForWritesOnly(Throwable failure) {
    return failure.getCause() instanceof RefusedCall refused && WRITES_ONLY.contains(refused.code);
  }

  /** Whether a call failed because its keys were on two servers during a move of their slot. */
  public static boolean isSplit(Throwable failure) {
    return failure.getCause() instanceof RefusedCall refused && SPLIT.contains(refused.code);
  }
}
