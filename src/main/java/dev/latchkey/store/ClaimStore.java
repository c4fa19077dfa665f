package dev.latchkey.store;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.IdempotencyStore;
import io.vertx.core.Future;

/** A store that can keep the claims for a ledger with {@link Receipts} of its own. */
public interface ClaimStore extends IdempotencyStore {

  /**
   * Takes a grant back as if its key had never been claimed, for a claim that would not have been
   * granted had this store known what the receipts know. Unlike a release it leaves nothing that
   * would outlive the receipt. Wakes whoever watches the key, on every node.
   *
   * @param claim the claim that was granted
   * @return whether it was held and is gone; false changes nothing, so that it is safe to send
   *     again
   */
  Future<Boolean> revoke(Claim claim);
}
