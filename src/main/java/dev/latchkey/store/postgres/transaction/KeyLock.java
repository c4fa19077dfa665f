package dev.latchkey.store.postgres.transaction;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements by which a transaction locks its key and stores the response. Immutable. */
public interface KeyLock {

  /**
   * A statement with its values.
   *
   * @param sql the text
   * @param values of its parameters
   */
  record Prepared(String sql, Tuple values) {}

  /** Returns how long the claim lasts without renewal. */
  long leaseMillis();

  /** Returns the statement that precedes a transaction with work, if any. */
  Optional<Prepared> renewal();

  /**
   * Returns the first statement, which raises {@code latchkey_lost} if the key cannot be locked.
   *
   * @param idleMillis how long the transaction may idle
   * @param wholeMillis how long it may take
   */
  Prepared lock(long idleMillis, long wholeMillis);

  /**
   * Returns the last statement, which stores the response, or raises if the key is not locked.
   *
   * @param response the encoded response
   * @param transaction the id of the transaction that locked it, or null if no work ran since
   */
  Prepared complete(Buffer response, @Nullable String transaction);
}
