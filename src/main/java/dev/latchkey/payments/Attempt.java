package dev.latchkey.payments;

import dev.latchkey.idempotency.Idempotency;
import java.util.function.UnaryOperator;

/**
 * In whose name a keyed call runs.
 *
 * @param tenant who calls
 * @param idempotencyKey the client's key
 * @param downstreamKey derives the key of a call to the PSP from its name, the same on every
 *     attempt at this request
 */
record Attempt(String tenant, String idempotencyKey, UnaryOperator<String> downstreamKey) {

  static Attempt of(Idempotency claim) {
    return new Attempt(claim.tenant(), claim.key(), claim::downstreamKey);
  }
}
