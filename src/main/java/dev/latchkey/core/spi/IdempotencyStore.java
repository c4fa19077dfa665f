package dev.latchkey.core.spi;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;

/**
 * Keeps idempotency records. This page is the specification; the abstract {@code StoreContractTest}
 * of the test jar checks it.
 *
 * <pre>
 * absent --claim--> in progress(token, lease, fingerprint, steps) --complete--> completed(response)
 *    ^                |    ^    |    ^                                               |
 *    |         release|    |    +----+ claim when the lease is over ("takeover")     |
 *    |                v    | claim                                                   |
 *    +--- expiry --- released(token, fingerprint, steps) <------- expiry ------------+
 * </pre>
 *
 * <h2>A store MUST</h2>
 *
 * <ol>
 *   <li>decide every transition in one atomic step inside the store, by the token: of any number of
 *       contenders exactly one is {@link ClaimResult.Claimed};
 *   <li>compare the fingerprint in every state but absent, and answer {@link ClaimResult.Mismatch}
 *       whenever it differs: in progress, lease over, released, completed;
 *   <li>answer a claim that is sent again with the token of the present claim {@code Claimed}, with
 *       the same attempt number, and leave the lease alone;
 *   <li>keep row, fingerprint, attempt, steps and token of a released key, and answer a claim with
 *       the released token {@link ClaimResult.Withdrawn};
 *   <li>complete, release, renew and record steps only for the token that holds the claim, also
 *       when its lease is over and nobody took it; answer the same call sent again the same way;
 *   <li>write the effects of a completion together with the record or not at all, decided inside
 *       the store; an effect that does not apply is {@link CompleteResult.EffectRefused} and leaves
 *       everything as it was, the claim included;
 *   <li>decide leases and expiry by its own clock. A key is expired when its expiry <em>and</em>
 *       its last lease are past. The expiry is fixed at first use; a completion that comes later
 *       than that moves it to one lease after itself. From then on the key is absent to every call,
 *       whether it was purged or not. An unexpired key is never evicted;
 *   <li>fail with {@link StoreException} alone, within a bounded time, and say whether the call may
 *       have taken effect;
 *   <li>bound what it queues, and answer rather than buffer without end.
 * </ol>
 *
 * <h2>Cost</h2>
 *
 * An undisputed request costs one claim and one completion, each one round trip at most, and no
 * notification. A claim may take one more where the claims before it were replays, and the store
 * looks for another. A waiter on another node costs one claim, one watch and one lookup.
 *
 * <h2>Threading</h2>
 *
 * Every method may be called on any thread, never blocks, and completes its future on any thread.
 * Implementations do not close what they were given.
 */
public interface IdempotencyStore {

  /** Most steps that one key records. */
  int MAX_STEPS = 64;

  /** Longest result of a step, in bytes. */
  int MAX_STEP_BYTES = 64 * 1024;

  /** Longest name of a step, in characters. */
  int MAX_STEP_NAME_CHARS = 100;

  /**
   * Claims a key: the one round trip that tells what is to be done with a request.
   *
   * @param request what is claimed, for whom
   * @return what became of it; on failure with {@link StoreException.Outcome#UNKNOWN} the same
   *     request is to be sent again until the store answers
   */
  Future<ClaimResult> claim(ClaimRequest request);

  /**
   * Stores the answer and applies the effects, in one commit, if the claim is still held. Wakes
   * whoever watches the key, on every node.
   *
   * @param claim the claim that was granted
   * @param response the answer to keep
   * @param effects what to write with it, in order; may be empty
   * @return what became of it; after a failure with {@link StoreException.Outcome#UNKNOWN} the same
   *     completion is to be sent again, and answers as if the first had been heard
   */
  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<Effect> effects);

  /**
   * Tells whether this store runs {@link TransactionWork} on a kind of connection. Quick, asks
   * nobody.
   *
   * @param connectionType what the work wants
   * @return false unless a store says otherwise
   */
  default boolean runsTransactionsOn(Class<?> connectionType) {
    return false;
  }

  /**
   * As {@link #complete(Claim, StoredResponse, List)}, with an answer that is made inside the
   * completing transaction. One bounded transaction: lock the claim's row by its token, renewed;
   * run the work; apply the effects; complete, or raise when that matches nothing. A key that this
   * token has completed already is {@link CompleteResult.Completed} without a run.
   *
   * @param claim the claim that was granted
   * @param work makes the answer; of a kind that {@link #runsTransactionsOn} admits
   * @param effects what to write besides, in order; may be empty
   * @return what became of it
   */
  default Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    return Future.failedFuture(
        new StoreException(
            StoreException.Outcome.NOT_DONE,
            "this store has no transactions on "
                + work.connectionType().getName()
                + "; a retry cannot help"));
  }

  /**
   * Gives a claim back without an answer. The key keeps naming the same request. Wakes whoever
   * watches the key, on every node.
   *
   * @param claim the claim that was granted
   * @return what became of it; safe to send again
   */
  Future<ReleaseResult> release(Claim claim);

  /**
   * Lets leases run from now on.
   *
   * @param claims what this node still works on, in one call
   * @return the tokens whose claims are no longer held; all others were renewed. Fails where one
   *     that is held cannot be renewed now, and others may be renewed then; safe to send again
   */
  Future<Set<Token>> renew(List<Claim> claims);

  /**
   * Records the result of a step under the claim, for whoever takes over. A name that is recorded
   * already keeps its first result.
   *
   * @param claim the claim that was granted
   * @param name 1 to {@value #MAX_STEP_NAME_CHARS} characters
   * @param result at most {@value #MAX_STEP_BYTES} bytes
   * @return what became of it; safe to send again
   */
  Future<StepResult> recordStep(Claim claim, String name, Buffer result);

  /**
   * Registers this node's interest in a key that is in progress and reads it <em>afterwards</em>:
   * whatever settles the key after that read is noticed by {@link #subscribe}. The interest
   * survives a takeover, and ends when the key is completed or released.
   *
   * @param key the key
   * @return what stands under the key
   */
  Future<KeyState> watch(ScopedKey key);

  /**
   * Reads a key.
   *
   * @param key the key
   * @return what stands under it
   */
  Future<KeyState> lookup(ScopedKey key);

  /**
   * Hears of watched keys that were completed or released. The handler is called on any thread and
   * must not block. A store that lost notices says so with {@link Notification.Gap} once it hears
   * again.
   *
   * @param handler told of every notice
   * @return the running subscription
   */
  Subscription subscribe(Handler<Notification> handler);

  /**
   * Lists the records of a key over all routes, oldest first.
   *
   * @param tenant whose key
   * @param key the client's key
   * @param limit at most so many, positive
   * @return what is known, empty for an unknown key
   */
  Future<List<KeyRecord>> records(String tenant, String key, int limit);

  /**
   * Removes expired records.
   *
   * @param limit at most so many, positive
   * @return how many were removed; as many as the limit means that there may be more
   */
  Future<Integer> purgeExpired(int limit);

  /**
   * Asks the store for a sign of life, for readiness.
   *
   * @return succeeds when the store can be used
   */
  Future<Void> probe();
}
