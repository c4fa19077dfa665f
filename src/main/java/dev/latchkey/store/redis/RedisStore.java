package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisScript;
import dev.latchkey.store.redis.connection.RedisSubscription;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

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
  private final Scripts scripts;
  private final Completions completions;
  private final Claims claims;
  private final RedisSubscription<Notification> subscription;

  private RedisStore(
      RedisConnections connections, boolean ownsConnections, RedisEffectKinds kinds, String clock) {
    this.connections = connections;
    this.ownsConnections = ownsConnections;
    scripts = new Scripts(clock, kinds);
    completions = new Completions(connections, kinds, scripts);
    claims = new Claims(connections, scripts);
    subscription =
        connections.subscribe(
            Scripts.CHANNEL,
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
    return new RedisStore(connections, true, RedisEffectKinds.NONE, Scripts.serverClock());
  }

  /**
   * Creates a store over shared connections, and subscribes to notifications.
   *
   * @param connections to Redis, closed by the caller after the store
   * @param kinds the effects that completions may have
   */
  public static RedisStore create(RedisConnections connections, RedisEffectKinds kinds) {
    return create(connections, kinds, Scripts.serverClock());
  }

  /** For tests: with an injected clock, Lua that sets {@code now}. */
  static RedisStore create(RedisConnections connections, RedisEffectKinds kinds, String clock) {
    return new RedisStore(connections, false, kinds, clock);
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
    return claims.claim(request, this::lookup);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return completions.complete(claim, response, effects);
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return run(
        "release",
        scripts.release,
        claim.key(),
        List.of(RecordBytes.held(claim)),
        result -> result.toInteger() == 1 ? ReleaseResult.RELEASED : ReleaseResult.LOST_LEASE);
  }

  @Override
  public Future<Boolean> revoke(Claim claim) {
    return run(
        "revoke",
        scripts.revoke,
        claim.key(),
        List.of(RecordBytes.held(claim)),
        result -> result.toInteger() == 1);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One call for each tenant and {@value Claims#RENEWED_PER_CALL} claims, all at once. While the
   * slot of a tenant is being moved, one call for each claim, since a script reaches only keys on
   * one server. If one call fails the renewal fails, although others may have been done. A claim
   * whose record cannot be read is logged and counts as lost.
   */
  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return this.claims.renew(claims);
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return claims.recordStep(claim, name, result);
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
        .compose(ignored -> read("watch", key))
        .onSuccess(
            state -> {
              if (state instanceof KeyState.InProgress owner) {
                subscription.notifications().await(owner.leaseLeftMillis());
              }
            });
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return read("lookup", key);
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return subscription.notifications().subscribe(handler)::run;
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return connections.run(
        "records",
        scripts.records,
        List.of(RedisKeys.records(tenant, key)),
        List.of(Integer.toString(limit)),
        result -> ScriptResults.records(tenant, key, result));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Redis removes expired records by itself, so the count is always 0.
   */
  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return Future.succeededFuture(PurgeResult.NONE);
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

  private Future<KeyState> read(String operation, ScopedKey key) {
    List<Object> args = List.of(RecordBytes.route(key.route()), operation);
    return run(operation, scripts.read, key, args, ScriptResults::state);
  }

  private <R> Future<R> run(
      String operation,
      RedisScript script,
      ScopedKey key,
      List<Object> args,
      Function<Response, R> reader) {
    return connections.run(operation, script, List.of(RedisKeys.records(key)), args, reader);
  }
}
