package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoredResponse;
import java.util.Optional;

/**
 * The responses for the waiters of an entry that has ended. Waiters with other fingerprints exist
 * only while the entry is undecided.
 *
 * @param same for waiters with the entry's fingerprint
 * @param others for all other waiters; empty to handle them like new requests
 */
public record EntryResult(CallerResponse same, Optional<CallerResponse> others) {

  static EntryResult stored(Operation operation, StoredResponse response, Expiry expiry) {
    return new EntryResult(
        new CallerResponse.Replay(response, expiry),
        Optional.of(
            new CallerResponse.KeyReused(
                Phase.COMPLETED, operation.fingerprint(), Optional.of(expiry))));
  }

  static EntryResult notStored(Operation operation, CallerResponse response) {
    return new EntryResult(
        response,
        Optional.of(
            new CallerResponse.KeyReused(
                Phase.RELEASED, operation.fingerprint(), Optional.empty())));
  }

  /** The entry's fingerprint is refused; another waiter may have the right one. */
  static EntryResult mismatch(CallerResponse.KeyReused reused) {
    return new EntryResult(reused, Optional.empty());
  }

  static EntryResult everybody(CallerResponse response) {
    return new EntryResult(response, Optional.of(response));
  }

  Optional<CallerResponse> forWaiter(Fingerprint entrys, Fingerprint waiters) {
    return entrys.equals(waiters) ? Optional.of(same) : others;
  }
}
