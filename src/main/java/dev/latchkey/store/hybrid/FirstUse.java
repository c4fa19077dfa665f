package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * The first use of a key, as far as a claim does not describe it.
 *
 * @param fingerprint of the request, with its member sketch
 * @param createdAtEpochMillis by the clock of the claim store
 */
record FirstUse(Fingerprint fingerprint, long createdAtEpochMillis) {

  /** More than the routes of an application. */
  private static final int MAX_ROUTES = 1_000;

  /** The first use of a claim that is the first use. */
  static FirstUse of(ClaimRequest request, Claimed claimed) {
    return new FirstUse(
        request.claim().fingerprint(),
        claimed.expiry().atEpochMillis() - request.retentionMillis());
  }

  /** Reads it from the claim store; empty if that does not know the key. */
  static Future<Optional<FirstUse>> read(IdempotencyStore claims, ScopedKey key) {
    Future<KeyState> state = claims.lookup(key);
    Future<List<KeyRecord>> records = claims.records(key.tenant(), key.key(), MAX_ROUTES);
    return Future.join(state, records)
        .map(
            both ->
                state.result() instanceof KeyState.Known known
                    ? records.result().stream()
                        .filter(record -> record.key().equals(key))
                        .findFirst()
                        .map(it -> new FirstUse(known.fingerprint(), it.createdAtEpochMillis()))
                    : Optional.empty());
  }
}
