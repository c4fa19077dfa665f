package dev.latchkey.store;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.IdempotencyStore;
import io.vertx.core.Future;

/** A store that can hold the claims for a ledger with {@link Receipts}. */
public interface ClaimStore extends IdempotencyStore {

  /**
   * Removes a claim as if its key had never been claimed, since a receipt shows that it should not
   * have been granted. Unlike a release it leaves nothing that would outlive the receipt. Notifies
   * the waiters of the key on every node, held or not: the store may have lost their interest.
   *
   * @param claim the granted claim
   * @return whether it was held; false changes nothing, so a repeated call is safe
   */
  Future<Boolean> revoke(Claim claim);
}
