package dev.latchkey.store.redis;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.Optional;

/**
 * The look before a claim, while what is claimed turns out to be completed already: it costs Redis
 * a fifth of a script, and one more round trip where the key is new. Safe for use by any thread.
 */
final class ReplayLook {

  private final RedisConnections connections;
  private final boolean allowed;

  /** Whether the last claim that was sent found its key completed. A guess, for all loops. */
  private volatile boolean replaying;

  /**
   * Guesses nothing so far.
   *
   * @param allowed whether the server's own times to live are to be believed
   */
  ReplayLook(RedisConnections connections, boolean allowed) {
    this.connections = connections;
    this.allowed = allowed;
  }

  /** Whether a look is worth its round trip by now. */
  boolean pays() {
    return allowed && replaying;
  }

  /** Takes what a script made of a claim, for the guess about the next one. */
  void learn(ClaimResult result) {
    replaying = result instanceof ClaimResult.Completed;
  }

  /**
   * Finds the answer to the very same request; empty where a script has to decide. Claims nothing,
   * so it fails with {@code NOT_DONE} alone.
   */
  Future<Optional<ClaimResult>> at(ClaimRequest request) {
    ScopedKey key = request.claim().key();
    String name = RedisKeys.records(key.tenant(), key.key());
    // In this order: the other way round a record could be told the whole life of the one that
    // took its place. What is left: a string that outlives its record when its time is read (by a
    // lease past the expiry, or for a sibling that is then revoked), and is completed and alone
    // when it is read itself, is replayed too long. To ask PEXPIRETIME as well would tell.
    Future<Optional<Response>> left = connections.look("claim", "PTTL", name);
    Future<Optional<Response>> value = connections.look("claim", "GET", name);
    return Future.join(left, value)
        .map(
            both ->
                value
                    .result()
                    .flatMap(it -> RecordBytes.replay(it.toBytes(), request, millis(left))));
  }

  private static long millis(Future<Optional<Response>> left) {
    return left.result().map(Response::toLong).orElse(0L);
  }
}
