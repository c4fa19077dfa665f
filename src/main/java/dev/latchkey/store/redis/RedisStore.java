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
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Records in Redis. One string holds the records of a client key, and one script makes a
 * transition; the server's clock decides leases and expiry, and what has expired leaves by its own
 * time to live.
 *
 * <p>What was acknowledged lasts as long as that Redis keeps it: {@link RedisDurability} says what
 * a crash can lose. Safe for use by any thread; futures complete on an event loop.
 */
public final class RedisStore implements ClaimStore {

  /** Where the ends of awaited attempts are published, for all tenants. */
  static final String CHANNEL = "latchkey:settled";

  /** Longest lease and retention that are told to Redis: about 1,000 years. */
  private static final long MAX_MILLIS = TimeUnit.DAYS.toMillis(365_000);

  private static final int RENEWALS_PER_CALL = 256;

  private final RedisConnections connections;
  private final Scripts scripts;
  private final NoticeChannel notices;
  private final Completions completions;

  private RedisStore(RedisConnections connections, RedisEffectKinds kinds, Scripts scripts) {
    this.connections = connections;
    this.scripts = scripts;
    notices = new NoticeChannel(connections, CHANNEL);
    completions = new Completions(connections, kinds, scripts);
  }

  /**
   * Makes a store and begins to listen for notices.
   *
   * @param connections to Redis; stay the caller's and are closed after the store
   * @param kinds the effects that completions can write
   * @return the store; it stops listening when it is closed, or its connections are
   */
  public static RedisStore create(RedisConnections connections, RedisEffectKinds kinds) {
    return create(connections, kinds, Scripts.serverClock());
  }

  /** As above, by another clock: Lua that sets {@code now}. */
  static RedisStore create(RedisConnections connections, RedisEffectKinds kinds, String clock) {
    RedisStore store = new RedisStore(connections, kinds, new Scripts(clock, kinds));
    store.notices.open();
    return store;
  }

  /**
   * Waits until the store can be used and hears notices.
   *
   * @return fails with {@link StoreException} when Redis is out of reach, is a replica, is older
   *     than 6.2, or does not let this user listen; within the time of a few calls
   */
  public Future<Void> ready() {
    return ServerCheck.version(connections)
        .compose(ok -> ServerCheck.reachable(connections))
        .compose(ok -> notices.ready());
  }

  /**
   * Stops listening. The connections stay open.
   *
   * @return succeeds when it has
   */
  public Future<Void> close() {
    return notices.close();
  }

  /**
   * {@inheritDoc}
   *
   * <p>If the server takes no writes, such as for lack of memory, the record is read instead, so
   * that completed keys are still replayed. That is two calls, and each may take its whole time.
   */
  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    long retentionMillis = bounded(request.retentionMillis());
    ScopedKey key = request.claim().key();
    return ScriptAnswers.read(
            "claim",
            connections.write(
                "claim",
                scripts.claim,
                List.of(RedisKeys.records(key.tenant(), key.key())),
                RecordBytes.firstUse(request)),
            answer -> ScriptAnswers.claim(answer, retentionMillis))
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
    return completions.complete(claim, response, effects);
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return run(
        "release",
        scripts.release,
        claim.key(),
        held(claim),
        answer -> answer.toInteger() == 1 ? ReleaseResult.RELEASED : ReleaseResult.LOST_LEASE);
  }

  @Override
  public Future<Boolean> revoke(Claim claim) {
    return run(
        "revoke", scripts.revoke, claim.key(), held(claim), answer -> answer.toInteger() == 1);
  }

  private static List<Object> held(Claim claim) {
    return List.of(RecordBytes.held(claim));
  }

  /**
   * {@inheritDoc}
   *
   * <p>One call for each tenant and {@value #RENEWALS_PER_CALL} claims, all at once; one for each
   * claim while their slot is on its way to another server, since then a script reaches those that
   * are together alone. If any fails the renewal fails, although others may have been done.
   */
  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    Map<String, List<Claim>> byTenant = new LinkedHashMap<>();
    for (Claim claim : claims) {
      byTenant.computeIfAbsent(claim.key().tenant(), it -> new ArrayList<>()).add(claim);
    }
    Set<Token> lost = new HashSet<>();
    List<Future<?>> calls = new ArrayList<>();
    for (List<Claim> ofTenant : byTenant.values()) {
      for (int from = 0; from < ofTenant.size(); from += RENEWALS_PER_CALL) {
        int to = Math.min(ofTenant.size(), from + RENEWALS_PER_CALL);
        List<Claim> some = ofTenant.subList(from, to);
        calls.add(
            renewTogether(some, lost)
                .recover(
                    failure ->
                        RefusedCall.isSplit(failure)
                            ? renewEach(some, lost)
                            : Future.failedFuture(failure)));
      }
    }
    return calls.isEmpty()
        ? Future.succeededFuture(Set.of())
        : Future.all(calls)
            .map(
                done -> {
                  synchronized (lost) {
                    return Set.copyOf(lost);
                  }
                });
  }

  private Future<Void> renewEach(List<Claim> claims, Set<Token> lost) {
    List<Future<Void>> calls = new ArrayList<>();
    for (Claim claim : claims) {
      calls.add(renewTogether(List.of(claim), lost));
    }
    return Future.join(calls).mapEmpty();
  }

  private Future<Void> renewTogether(List<Claim> claims, Set<Token> lost) {
    List<String> keys = new ArrayList<>();
    List<Object> args = new ArrayList<>();
    for (Claim claim : claims) {
      keys.add(RedisKeys.records(claim.key().tenant(), claim.key().key()));
      args.add(RecordBytes.held(claim));
      args.add(Long.toString(bounded(claim.leaseMillis())));
    }
    return ScriptAnswers.read(
        "renew",
        connections.run("renew", scripts.renew, keys, args),
        answer -> {
          synchronized (lost) {
            answer.forEach(place -> lost.add(claims.get(place.toInteger()).token()));
          }
          return null;
        });
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
    List<Object> args = new ArrayList<>();
    args.add(RecordBytes.held(claim));
    args.add(Integer.toString(MAX_STEPS));
    args.add(RedisKeys.escaped(name));
    if (result.length() <= MAX_STEP_BYTES) {
      args.add(result.getBytes());
    }
    return run(
        "recordStep",
        scripts.step,
        claim.key(),
        args,
        answer ->
            switch (answer.toInteger()) {
              case 0 -> StepResult.LOST_LEASE;
              case 1 -> StepResult.RECORDED;
              default -> StepResult.TOO_MANY;
            });
  }

  /**
   * {@inheritDoc}
   *
   * <p>Waits for the subscription where that is only just being made, for a second at most.
   */
  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return notices
        .readySoon()
        .compose(
            ignored ->
                run(
                    "watch",
                    scripts.read,
                    key,
                    List.of(RecordBytes.route(key.route()), "watch"),
                    ScriptAnswers::state))
        .onSuccess(
            state -> {
              if (state instanceof KeyState.InProgress owner) {
                notices.awaited(owner.leaseLeftMillis());
              }
            });
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return run(
        "lookup",
        scripts.read,
        key,
        List.of(RecordBytes.route(key.route()), "look"),
        ScriptAnswers::state);
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return notices.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return ScriptAnswers.read(
        "records",
        connections.run(
            "records",
            scripts.records,
            List.of(RedisKeys.records(tenant, key)),
            List.of(Integer.toString(limit))),
        answer -> ScriptAnswers.records(tenant, key, answer));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Redis removes expired records by itself, so there is never anything to count.
   */
  @Override
  public Future<Integer> purgeExpired(int limit) {
    return Future.succeededFuture(0);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Every server that has slots must answer, and none of them be a replica.
   */
  @Override
  public Future<Void> probe() {
    return connections.probe();
  }

  private <R> Future<R> run(
      String operation,
      RedisScript script,
      ScopedKey key,
      List<Object> args,
      Function<Response, R> reader) {
    List<String> keys = List.of(RedisKeys.records(key.tenant(), key.key()));
    return ScriptAnswers.read(operation, connections.run(operation, script, keys, args), reader);
  }

  /** Keeps sums of times within what Lua counts exactly. */
  static long bounded(long millis) {
    return Math.min(millis, MAX_MILLIS);
  }
}
