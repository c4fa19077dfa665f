package dev.latchkey.store;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * The receipts of a ledger whose claims are kept elsewhere: one per key, unique, in the commit of
 * the effects. Whatever the keeper of the claims forgot or let happen twice, the first commit wins,
 * and its receipt is what the key's answer is until it expires by the ledger's clock.
 *
 * <p>Every method may be called on any thread, never blocks, and fails with {@link
 * dev.latchkey.core.spi.StoreException} alone, within a bounded time.
 */
public interface Receipts {

  /**
   * What is committed.
   *
   * @param claim under which the attempt ran, with the member sketch of the first use
   * @param attempt which attempt at the key this is, from 1
   * @param createdAtEpochMillis first use of the key
   * @param expiresAtEpochMillis when the key is free, as callers are told
   * @param expiresInMillis how long that is from now; not positive when it is over: the key is then
   *     kept for one lease from now
   */
  record Attempted(
      Claim claim,
      int attempt,
      long createdAtEpochMillis,
      long expiresAtEpochMillis,
      long expiresInMillis) {}

  /** What became of a commit. */
  sealed interface Result {}

  /**
   * Receipt and effects are stored, now or by an earlier sending under the same token.
   *
   * @param expiry when the key will be free
   */
  record Committed(Expiry expiry) implements Result {}

  /**
   * Another attempt was first; nothing was written.
   *
   * @param receipt what it left
   */
  record Taken(Receipt receipt) implements Result {}

  /**
   * An effect does not apply; nothing was written.
   *
   * @param which the refused effect's name
   * @param detail why
   */
  record Refused(String which, String detail) implements Result {}

  /** The work of a transaction gave no answer to store; nothing was written. */
  record RolledBack() implements Result {}

  /**
   * Finds the receipt of a key.
   *
   * @param key the key
   * @return empty also when it has expired
   */
  Future<Optional<Receipt>> find(ScopedKey key);

  /**
   * Lists the receipts of a key over all routes, oldest first.
   *
   * @param tenant whose key
   * @param key the client's key
   * @param limit at most so many, positive
   * @return those that have not expired, by key
   */
  Future<List<Kept>> list(String tenant, String key, int limit);

  /**
   * A receipt and the key it is for.
   *
   * @param key the key
   * @param receipt what is kept of it
   */
  record Kept(ScopedKey key, Receipt receipt) {}

  /**
   * Commits receipt and effects, all or nothing. An expired receipt is replaced.
   *
   * @param attempted what was run
   * @param response its answer
   * @param effects what to write, in order
   * @return what became of it; safe to send again
   */
  Future<Result> commit(Attempted attempted, StoredResponse response, List<Effect> effects);

  /**
   * Whether {@link #commit(Attempted, TransactionWork, List)} runs work on a kind of connection.
   *
   * @param connectionType the kind
   */
  boolean runsTransactionsOn(Class<?> connectionType);

  /**
   * Commits receipt and effects with an answer that is made inside the transaction, once the key is
   * known to be free of another's receipt.
   *
   * @param attempted what was run
   * @param work makes the answer
   * @param effects what to write besides, in order
   * @return what became of it; safe to send again
   */
  Future<Result> commit(Attempted attempted, TransactionWork<?> work, List<Effect> effects);

  /**
   * Removes expired receipts.
   *
   * @param limit at most so many, positive
   * @return how many were removed
   */
  Future<Integer> purgeExpired(int limit);

  /** Asks for a sign of life. */
  Future<Void> probe();
}
