package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.Fingerprint;
import dev.latchkey.idempotency.spi.Phase;
import dev.latchkey.idempotency.spi.StoredResponse;
import java.util.Optional;

/**
 * How an entry ended, for those who waited on it: the ones that asked for the entry's own request,
 * and the ones that came with another while nobody knew yet whose the key is.
 *
 * @param same for waiters with the entry's fingerprint
 * @param others for all other waiters; empty sends them back to arrive anew
 */
public record Outcome(Verdict same, Optional<Verdict> others) {

  static Outcome stored(Operation operation, StoredResponse response, Expiry expiry) {
    return new Outcome(
        new Verdict.Replay(response, expiry),
        Optional.of(new Verdict.Reused(Phase.COMPLETED, operation.outline(), Optional.of(expiry))));
  }

  static Outcome notStored(Operation operation, Verdict verdict) {
    return new Outcome(
        verdict,
        Optional.of(new Verdict.Reused(Phase.RELEASED, operation.outline(), Optional.empty())));
  }

  /** The entry's own request is the wrong one; another waiter may have the right one. */
  static Outcome mismatch(Verdict.Reused reused) {
    return new Outcome(reused, Optional.empty());
  }

  static Outcome everybody(Verdict verdict) {
    return new Outcome(verdict, Optional.of(verdict));
  }

  Optional<Verdict> forWaiter(Fingerprint entrys, Fingerprint waiters) {
    return entrys.equals(waiters) ? Optional.of(same) : others;
  }
}
