package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoredResponse;
import java.util.Optional;

/**
 * How an entry ended, for those who waited on it: the ones that asked for the entry's own request,
 * and the ones that came with another while nobody knew yet whose the key is.
 *
 * @param same for waiters with the entry's fingerprint
 * @param others for all other waiters; empty sends them back to arrive anew
 */
public record Settlement(Verdict same, Optional<Verdict> others) {

  static Settlement stored(Operation operation, StoredResponse response, Expiry expiry) {
    return new Settlement(
        new Verdict.Replay(response, expiry),
        Optional.of(
            new Verdict.Reused(Phase.COMPLETED, operation.fingerprint(), Optional.of(expiry))));
  }

  static Settlement notStored(Operation operation, Verdict verdict) {
    return new Settlement(
        verdict,
        Optional.of(new Verdict.Reused(Phase.RELEASED, operation.fingerprint(), Optional.empty())));
  }

  /** The entry's own request is the wrong one; another waiter may have the right one. */
  static Settlement mismatch(Verdict.Reused reused) {
    return new Settlement(reused, Optional.empty());
  }

  static Settlement everybody(Verdict verdict) {
    return new Settlement(verdict, Optional.of(verdict));
  }

  Optional<Verdict> forWaiter(Fingerprint entrys, Fingerprint waiters) {
    return entrys.equals(waiters) ? Optional.of(same) : others;
  }
}
