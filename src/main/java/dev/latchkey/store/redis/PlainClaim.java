package dev.latchkey.store.redis;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.Map;
import java.util.Optional;

/**
 * A claim without a script, for a key that is new: one plain {@code SET}, which costs Redis a
 * quarter of it. The server's clock still decides: the record says how long its times are, and they
 * count from where the key's own expiry, which the server sets and tells, says that it began.
 *
 * <p>A retention is never shorter than its lease, so no record outlives its key. Asks for Redis
 * 7.0, which tells the instant of an expiry. Safe for use by any thread.
 */
final class PlainClaim {

  private final RedisConnections connections;
  private volatile boolean allowed;

  /** Not allowed yet. */
  PlainClaim(RedisConnections connections) {
    this.connections = connections;
  }

  /** Finds out whether all servers let it do what it takes; otherwise scripts go on claiming. */
  Future<Void> ask() {
    return ServerCheck.mayAskForExpiry(connections).onSuccess(may -> allowed = may).mapEmpty();
  }

  /** Whether claims can be tried so. */
  boolean isAllowed() {
    return allowed;
  }

  /** Claims a key that nobody has; empty where there is one, and a script has to look at it. */
  Future<Optional<ClaimResult>> claim(ClaimRequest request) {
    ScopedKey key = request.claim().key();
    String name = RedisKeys.records(key.tenant(), key.key());
    long retentionMillis = RedisStore.bounded(request.retentionMillis());
    String life = Long.toString(retentionMillis);
    byte[] record = RecordBytes.undated(request);
    Future<Optional<Response>> set =
        connections.write("claim", "SET", name, record, "NX", "PX", life);
    if (set.failed()) {
      return Future.failedFuture(set.cause());
    }
    Future<Optional<Response>> end = connections.follow("claim", "PEXPIRETIME", name);
    return set.compose(
        made ->
            made.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : end.map(at -> first(at, retentionMillis))
                    .recover(failure -> Future.failedFuture(granted(failure))));
  }

  /** Empty where the server lost the key at once. */
  private static Optional<ClaimResult> first(Optional<Response> at, long retentionMillis) {
    long atMillis = at.map(Response::toLong).orElse(-1L);
    return atMillis < 0
        ? Optional.empty()
        : Optional.of(
            new ClaimResult.Claimed(1, Map.of(), new Expiry(atMillis, retentionMillis), false));
  }

  /** The claim stands, whatever became of the second command: so it must be sent again. */
  private static StoreException granted(Throwable failure) {
    return new StoreException(
        Outcome.UNKNOWN, "claim: made, but not told until when: " + failure.getMessage(), failure);
  }
}
