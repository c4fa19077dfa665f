package dev.latchkey.store.postgres;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a transaction takes hold of its key, and ends with the answer under it. Immutable. */
interface Holding {

  /**
   * A statement and what goes with it.
   *
   * @param sql the text
   * @param values of its parameters
   */
  record Prepared(String sql, Tuple values) {}

  /** How long the claim lives without a renewal. */
  long leaseMillis();

  /** Sent ahead of a transaction whose work takes its time. */
  Optional<Prepared> renewal();

  /**
   * The first statement: raises {@code latchkey_lost} when the key is not to be had.
   *
   * @param idleMillis how long the transaction may idle
   * @param wholeMillis how long it may take
   */
  Prepared pin(long idleMillis, long wholeMillis);

  /**
   * The last statement: stores the answer, or raises when the key is not held.
   *
   * @param response the encoded answer
   * @param transaction the one that was begun, or null where nothing ran between
   */
  Prepared complete(Buffer response, @Nullable String transaction);
}
