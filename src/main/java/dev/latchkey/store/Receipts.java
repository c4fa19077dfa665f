package dev.latchkey.store;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * The receipts of a ledger whose claims are in another store: one for each key, committed with the
 * effects. Even if the claim store forgets a key or grants it twice, the first commit wins. Its
 * receipt is the response of the key until it expires by the clock of the ledger.
 *
 * <p>Every method may be called on any thread, never blocks, and fails with {@link
 * dev.latchkey.core.spi.StoreException} only, within a bounded time.
 */
public interface Receipts {

  /**
   * An attempt to commit.
   *
   * @param claim of the attempt, with the member sketch of the first use
   * @param attempt number of the attempt at the key, from 1
   * @param createdAtEpochMillis first use of the key
   * @param expiresAtEpochMillis when the key expires, as callers are told
   * @param expiresInMillis the time left until then; if it is not positive, the key is kept for one
   *     lease from now
   */
  record Attempted(
      Claim claim,
      int attempt,
      long createdAtEpochMillis,
      long expiresAtEpochMillis,
      long expiresInMillis) {}

  /** The result of a commit. */
  sealed interface Result {}

  /**
   * Receipt and effects are stored, now or by an earlier call with the same token.
   *
   * @param expiry when the key expires
   */
  record Committed(Expiry expiry) implements Result {}

  /**
   * Another attempt committed first; nothing was written.
   *
   * @param receipt of that attempt
   */
  record Taken(Receipt receipt) implements Result {}

  /**
   * An effect does not apply; nothing was written.
   *
   * @param which name of the refused effect
   * @param detail the reason
   */
  record Refused(String which, String detail) implements Result {}

  /** The work of a transaction returned no response to store; nothing was written. */
  record RolledBack() implements Result {}

  /**
   * Finds the receipt of a key.
   *
   * @param key the key
   * @return empty if there is none or it has expired
   */
  Future<Optional<Receipt>> find(ScopedKey key);

  /**
   * Lists the receipts of a key over all routes, oldest first.
   *
   * @param tenant owner of the key
   * @param key the client's key
   * @param limit maximum number, positive
   * @return those that have not expired
   */
  Future<List<Kept>> list(String tenant, String key, int limit);

  /**
   * A receipt and its key.
   *
   * @param key the key
   * @param receipt its receipt
   */
  record Kept(ScopedKey key, Receipt receipt) {}

  /**
   * Commits receipt and effects, all or nothing. An expired receipt is replaced.
   *
   * @param attempted the attempt
   * @param response its response
   * @param effects the writes, in order
   * @return the result; a repeated call is safe
   */
  Future<Result> commit(Attempted attempted, StoredResponse response, List<Effect> effects);

  /**
   * Whether {@link #commit(Attempted, TransactionWork, List)} runs work on a kind of connection.
   *
   * @param connectionType the kind
   */
  boolean runsTransactionsOn(Class<?> connectionType);

  /**
   * Commits receipt and effects with a response that is made inside the transaction, once no other
   * receipt can exist for the key.
   *
   * @param attempted the attempt
   * @param work makes the response
   * @param effects further writes, in order
   * @return the result; a repeated call is safe
   */
  Future<Result> commit(Attempted attempted, TransactionWork<?> work, List<Effect> effects);

  /**
   * Removes expired receipts.
   *
   * @param limit maximum number, positive
   * @return the number of removed receipts, and whether more may remain
   */
  Future<PurgeResult> purgeExpired(int limit);

  /** Checks that the ledger responds. */
  Future<Void> probe();
}
