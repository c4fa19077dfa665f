package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisSubscription;
import dev.latchkey.store.redis.connection.RefusedCall;
import dev.latchkey.store.redis.script.KeyScripts;
import dev.latchkey.store.redis.script.RedisEffectKinds;
import dev.latchkey.store.redis.script.RedisKeys;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An idempotency store in Redis 6.2 or newer, one server or a cluster. One string holds the records
 * of a client key, and one script makes a transition. The clock of the server decides leases and
 * expiry, and expired records leave by their time to live.
 *
 * <p>A stored response is as durable as the configuration of that Redis; see {@link
 * dev.latchkey.store.redis.connection.RedisDurability}. Safe for use by any thread; futures
 * complete on an event loop.
 */
public final class RedisStore implements ClaimStore {

  /** How long a watch waits for the subscription. */
  private static final long SUBSCRIPTION_WAIT_MILLIS = 1_000;

  private final RedisConnections connections;
  private final boolean ownsConnections;
  private final KeyScripts keys;
  private final RedisSubscription<Notification> subscription;

  private RedisStore(RedisConnections connections, boolean ownsConnections, KeyScripts keys) {
    this.connections = connections;
    this.ownsConnections = ownsConnections;
    this.keys = keys;
    subscription =
        connections.subscribe(
            KeyScripts.CHANNEL,
            new Notification.Gap(),
            message -> new Notification.Settled(RedisKeys.published(message)));
  }

  /**
   * Creates a store that accepts no effects, over connections of its own.
   *
   * @param vertx runs the connections; closing it closes the store
   * @param redis addresses, TLS and credentials: one endpoint is a server, several are nodes of a
   *     cluster. Pool options are ignored
   * @throws IllegalArgumentException if an address is invalid
   */
  public static RedisStore create(Vertx vertx, RedisOptions redis) {
    RedisConnections connections = RedisConnections.create(vertx, redis);
    RedisEffectKinds none = RedisEffectKinds.NONE;
    return new RedisStore(
        connections, true, new KeyScripts(connections, none, KeyScripts.serverClock()));
  }

  /**
   * Creates a store over shared connections, and subscribes to notifications.
   *
   * @param connections to Redis, closed by the caller after the store
   * @param kinds the effects that completions may have
   */
  public static RedisStore create(RedisConnections connections, RedisEffectKinds kinds) {
    return create(connections, kinds, KeyScripts.serverClock());
  }

  /** For tests: with an injected clock, Lua that sets {@code now}. */
  static RedisStore create(RedisConnections connections, RedisEffectKinds kinds, String clock) {
    return new RedisStore(connections, false, new KeyScripts(connections, kinds, clock));
  }

  /**
   * Waits until the store can be used and receives notifications.
   *
   * @return fails with {@link StoreException}, within the time of a few calls, if Redis is
   *     unreachable, a replica, older than 6.2, or does not let this user subscribe
   */
  public Future<Void> ready() {
    return connections.ready().compose(ok -> subscription.ready());
  }

  /**
   * Ends the subscription, and the connections if they are the store's own.
   *
   * @return succeeds when they are gone
   */
  public Future<Void> close() {
    return ownsConnections ? connections.close() : subscription.notifications().close();
  }

  /**
   * {@inheritDoc}
   *
   * <p>If the server accepts no writes, such as for lack of memory, the record is read instead, so
   * that completed keys are still replayed. That is two calls, and each may take its whole time.
   */
  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return keys.claim(request)
        .recover(
            refused ->
                RefusedCall.isForWritesOnly(refused)
                    ? replay(request.claim(), refused)
                    : Future.failedFuture(refused));
  }

  private Future<ClaimResult> replay(Claim claim, Throwable refused) {
    return lookup(claim.key())
        .transform(
            read ->
                read.succeeded() && read.result() instanceof KeyState.Completed completed
                    ? Future.succeededFuture(result(claim, completed))
                    : Future.failedFuture(refused));
  }

  private static ClaimResult result(Claim claim, KeyState.Completed completed) {
    return completed.fingerprint().equals(claim.fingerprint())
        ? new ClaimResult.Completed(completed.response(), completed.expiry())
        : new ClaimResult.Mismatch(
            Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return keys.complete(claim, response, effects);
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return keys.release(claim);
  }

  @Override
  public Future<Boolean> revoke(Claim claim) {
    return keys.revoke(claim);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One call for each tenant and {@value KeyScripts#RENEWALS_PER_CALL} claims, all at once.
   * While the slot of a tenant is being moved, one call for each claim, since a script reaches only
   * keys on one server. If one call fails the renewal fails, although others may have been done.
   */
  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return keys.renew(claims);
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    if (name.isEmpty() || name.length() > MAX_STEP_NAME_CHARS) {
      return Future.failedFuture(
          new StoreException(
              Outcome.NOT_DONE,
              "recordStep: the name has "
                  + name.length()
                  + " characters, allowed are 1 to "
                  + MAX_STEP_NAME_CHARS
                  + "; a retry cannot help"));
    }
    return keys.recordStep(claim, name, result);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Waits for the subscription if there is none, for a second at most.
   */
  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return subscription
        .notifications()
        .subscribed(SUBSCRIPTION_WAIT_MILLIS)
        .compose(ignored -> keys.watch(key))
        .onSuccess(
            state -> {
              if (state instanceof KeyState.InProgress owner) {
                subscription.notifications().await(owner.leaseLeftMillis());
              }
            });
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return keys.lookup(key);
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return subscription.notifications().subscribe(handler)::run;
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return keys.records(tenant, key, limit);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Redis removes expired records by itself, so the count is always 0.
   */
  @Override
  public Future<Integer> purgeExpired(int limit) {
    return Future.succeededFuture(0);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Every server that has slots must respond, accept writes and be no replica.
   */
  @Override
  public Future<Void> probe() {
    return connections.probe();
  }
}
