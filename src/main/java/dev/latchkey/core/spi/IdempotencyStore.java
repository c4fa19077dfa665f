package dev.latchkey.core.spi;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;

/**
 * A store for idempotency records. This page is the specification; the abstract {@code
 * StoreContractTest} of the test kit checks it.
 *
 * <pre>{@code
 * absent --claim--> in progress(token, lease, fingerprint, steps) --complete--> completed(response)
 *    ^                |    ^    |    ^                                               |
 *    |         release|    |    +----+ claim after the lease expired ("takeover")    |
 *    |                v    | claim                                                   |
 *    +--- expiry --- released(token, fingerprint, steps) <------- expiry ------------+
 * }</pre>
 *
 * <h2>A store MUST</h2>
 *
 * <ol>
 *   <li>decide every transition in one atomic step inside the store, by the token. Of any number of
 *       concurrent claims, exactly one is {@link ClaimResult.Claimed};
 *   <li>compare the fingerprint in every state except absent, and return {@link
 *       ClaimResult.Mismatch} if it differs;
 *   <li>return {@code Claimed} with the same attempt number for a claim that is sent again with the
 *       token of the current claim, and leave the lease unchanged;
 *   <li>keep fingerprint, attempt, steps and token of a released key, and return {@link
 *       ClaimResult.Withdrawn} for a claim with the released token;
 *   <li>complete, release, renew and record steps only for the token that holds the claim. An
 *       expired lease without a takeover still holds. The same call sent again has the same result;
 *   <li>write effects together with the record or not at all, decided inside the store. If an
 *       effect does not apply, return {@link CompleteResult.EffectRefused} and change nothing;
 *   <li>decide leases and expiry by its own clock. A key has expired if its expiry <em>and</em> its
 *       last lease are past. The expiry is fixed at first use; a later completion moves it to one
 *       lease after the completion. An expired key is absent to every call, purged or not. An
 *       unexpired key is never evicted;
 *   <li>fail only with {@link StoreException}, within a bounded time, and state whether the call
 *       may have taken effect;
 *   <li>bound its queues, and fail calls rather than buffer without limit.
 * </ol>
 *
 * <h2>Cost</h2>
 *
 * A request without duplicates costs one claim and one completion, each at most one round trip, and
 * no notification. A waiter on another node costs one claim, one watch and one lookup.
 *
 * <h2>Threading</h2>
 *
 * Every method may be called on any thread and never blocks. Futures complete on any thread.
 * Implementations do not close resources that they were given.
 */
public interface IdempotencyStore {

  /** Maximum number of steps per key. */
  int MAX_STEPS = 64;

  /** Maximum size of a step result in bytes. */
  int MAX_STEP_BYTES = 64 * 1024;

  /** Maximum length of a step name in characters. */
  int MAX_STEP_NAME_CHARS = 100;

  /**
   * Claims a key. One round trip decides how to handle a request.
   *
   * @param request the requested claim
   * @return the result. After {@link StoreException.Outcome#UNKNOWN}, send the same request again
   *     until the store replies
   */
  Future<ClaimResult> claim(ClaimRequest request);

  /**
   * Stores the response and applies the effects in one commit, if the caller still holds the claim.
   * Notifies the nodes that watch the key.
   *
   * @param claim the granted claim
   * @param response the response to store
   * @param effects applied in order; may be empty
   * @return the result. After {@link StoreException.Outcome#UNKNOWN}, send the same completion
   *     again; its result is that of the first
   */
  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<Effect> effects);

  /**
   * Returns whether this store runs {@link TransactionWork} on a connection type. Makes no call.
   *
   * @param connectionType the type that the work needs
   * @return false by default
   */
  default boolean runsTransactionsOn(Class<?> connectionType) {
    return false;
  }

  /**
   * Completes like {@link #complete(Claim, StoredResponse, List)} with a response made inside the
   * completing transaction. The transaction is bounded. It locks the claim's row by its token and
   * renews the lease, runs the work, applies the effects, and completes; it raises if the
   * completion matches nothing. If this token has completed the key already, the result is {@link
   * CompleteResult.Completed} and the work does not run.
   *
   * @param claim the granted claim
   * @param work makes the response; its type is supported by {@link #runsTransactionsOn}
   * @param effects applied in order after the work; may be empty
   * @return the result
   */
  default Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    return Future.failedFuture(
        new StoreException(
            StoreException.Outcome.NOT_DONE,
            "The store has no transactions on "
                + work.connectionType().getName()
                + ". A retry cannot succeed."));
  }

  /**
   * Gives a claim back without a response. The fingerprint still guards the key. Notifies the nodes
   * that watch the key.
   *
   * @param claim the granted claim
   * @return the result; safe to send again
   */
  Future<ReleaseResult> release(Claim claim);

  /**
   * Restarts the leases of claims.
   *
   * @param claims claims whose attempts still run on this node
   * @return the tokens whose claims are lost; all others were renewed. If it fails, some may be
   *     renewed; safe to send again
   */
  Future<Set<Token>> renew(List<Claim> claims);

  /**
   * Records the result of a step under the claim, for later attempts. A recorded name keeps its
   * first result.
   *
   * @param claim the granted claim
   * @param name 1 to {@value #MAX_STEP_NAME_CHARS} characters
   * @param result at most {@value #MAX_STEP_BYTES} bytes
   * @return the result; safe to send again
   */
  Future<StepResult> recordStep(Claim claim, String name, Buffer result);

  /**
   * Registers this node's interest in a key in progress, and reads the key <em>afterwards</em>. A
   * completion or release after that read is reported to {@link #subscribe}. The interest survives
   * a takeover. It ends when the key is completed or released.
   *
   * @param key the key
   * @return the state of the key
   */
  Future<KeyState> watch(ScopedKey key);

  /**
   * Reads a key.
   *
   * @param key the key
   * @return the state of the key
   */
  Future<KeyState> lookup(ScopedKey key);

  /**
   * Subscribes to notifications about watched keys. A store that may have lost notifications sends
   * {@link Notification.Gap} once it receives them again.
   *
   * @param handler called on any thread for every notification; must not block
   * @return the active subscription
   */
  Subscription subscribe(Handler<Notification> handler);

  /**
   * Lists the records of a key over all routes, oldest first.
   *
   * @param tenant the key's owner
   * @param key the client's key
   * @param limit maximum number of records, positive
   * @return the records; empty if the key is unknown
   */
  Future<List<KeyRecord>> records(String tenant, String key, int limit);

  /**
   * Removes expired records. A store may remove fewer than the limit, to bound the duration of one
   * call: about a mebibyte of records at a time.
   *
   * @param limit maximum number of records to remove, positive
   * @return the number of removed records, and whether more may remain
   */
  Future<PurgeResult> purgeExpired(int limit);

  /**
   * Checks that the store is usable, for readiness.
   *
   * @return succeeds if the store is usable
   */
  Future<Void> probe();
}
