package dev.latchkey.store.redis.script;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisScript;
import dev.latchkey.store.redis.connection.RefusedCall;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The transitions of a key, one script each. Every method fails with {@link
 * dev.latchkey.core.spi.StoreException} only. Safe for use by any thread.
 */
public final class KeyScripts {

  /** The channel on which scripts publish the ends of awaited attempts. */
  public static final String CHANNEL = Scripts.CHANNEL;

  /** The maximum number of claims that one call renews. */
  public static final int RENEWALS_PER_CALL = 256;

  private final RedisConnections connections;
  private final Scripts scripts;
  private final Completions completions;

  /**
   * Makes the scripts.
   *
   * @param connections to the servers
   * @param kinds the effects that completions can write
   * @param clock Lua that sets {@code now}, in milliseconds since 1970
   */
  public KeyScripts(RedisConnections connections, RedisEffectKinds kinds, String clock) {
    this.connections = connections;
    scripts = new Scripts(clock, kinds);
    completions = new Completions(connections, kinds, scripts);
  }

  /** Returns Lua that reads the clock of the server. */
  public static String serverClock() {
    return Scripts.serverClock();
  }

  /** Claims a key. */
  public Future<ClaimResult> claim(ClaimRequest request) {
    long retentionMillis = RecordBytes.bounded(request.retentionMillis());
    return ScriptResults.read(
        "claim",
        connections.write(
            "claim",
            scripts.claim,
            List.of(name(request.claim().key())),
            RecordBytes.firstUse(request)),
        result -> ScriptResults.claim(result, retentionMillis));
  }

  /** Completes a claim with its effects. */
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return completions.complete(claim, response, effects);
  }

  /** Releases a claim. */
  public Future<ReleaseResult> release(Claim claim) {
    return run(
        "release",
        scripts.release,
        claim.key(),
        held(claim),
        result -> result.toInteger() == 1 ? ReleaseResult.RELEASED : ReleaseResult.LOST_LEASE);
  }

  /** Removes a claim; false if it was not held. */
  public Future<Boolean> revoke(Claim claim) {
    return run(
        "revoke", scripts.revoke, claim.key(), held(claim), result -> result.toInteger() == 1);
  }

  /**
   * Renews claims: one call for each tenant and {@value #RENEWALS_PER_CALL} claims, all at once,
   * and one for each claim while a slot is being moved.
   *
   * @param claims of any tenants
   * @return the tokens of those that are not held
   */
  public Future<Set<Token>> renew(List<Claim> claims) {
    Map<String, List<Claim>> byTenant = new LinkedHashMap<>();
    for (Claim claim : claims) {
      byTenant.computeIfAbsent(claim.key().tenant(), it -> new ArrayList<>()).add(claim);
    }
    List<Future<Set<Token>>> calls = new ArrayList<>();
    for (List<Claim> ofTenant : byTenant.values()) {
      for (int from = 0; from < ofTenant.size(); from += RENEWALS_PER_CALL) {
        int to = Math.min(ofTenant.size(), from + RENEWALS_PER_CALL);
        List<Claim> some = ofTenant.subList(from, to);
        calls.add(
            renewTogether(some)
                .recover(
                    failure ->
                        RefusedCall.isSplit(failure)
                            ? union(some.stream().map(it -> renewTogether(List.of(it))).toList())
                            : Future.failedFuture(failure)));
      }
    }
    return union(calls);
  }

  private static Future<Set<Token>> union(List<Future<Set<Token>>> calls) {
    return Future.join(calls)
        .map(
            done -> {
              Set<Token> all = new HashSet<>();
              calls.forEach(call -> all.addAll(call.result()));
              return Set.copyOf(all);
            });
  }

  private Future<Set<Token>> renewTogether(List<Claim> claims) {
    List<String> keys = new ArrayList<>();
    List<Object> args = new ArrayList<>();
    for (Claim claim : claims) {
      keys.add(name(claim.key()));
      args.add(RecordBytes.held(claim));
      args.add(Long.toString(RecordBytes.bounded(claim.leaseMillis())));
    }
    return ScriptResults.read(
        "renew",
        connections.run("renew", scripts.renew, keys, args),
        result -> {
          Set<Token> lost = new HashSet<>();
          result.forEach(place -> lost.add(claims.get(place.toInteger()).token()));
          return lost;
        });
  }

  /** Records a step; a result that is too large counts as too many. */
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    List<Object> args = new ArrayList<>(held(claim));
    args.add(Integer.toString(IdempotencyStore.MAX_STEPS));
    args.add(RedisKeys.escaped(name));
    if (result.length() <= IdempotencyStore.MAX_STEP_BYTES) {
      args.add(result.getBytes());
    }
    return run(
        "recordStep",
        scripts.step,
        claim.key(),
        args,
        recorded ->
            switch (recorded.toInteger()) {
              case 0 -> StepResult.LOST_LEASE;
              case 1 -> StepResult.RECORDED;
              default -> StepResult.TOO_MANY;
            });
  }

  /** Reads a key. */
  public Future<KeyState> lookup(ScopedKey key) {
    return read("lookup", "look", key);
  }

  /** Registers interest in the end of an attempt, then reads the key. */
  public Future<KeyState> watch(ScopedKey key) {
    return read("watch", "watch", key);
  }

  private Future<KeyState> read(String operation, String mode, ScopedKey key) {
    List<Object> args = List.of(RecordBytes.route(key.route()), mode);
    return run(operation, scripts.read, key, args, ScriptResults::state);
  }

  /** Lists the records of a client key, oldest first. */
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return ScriptResults.read(
        "records",
        connections.run(
            "records",
            scripts.records,
            List.of(RedisKeys.records(tenant, key)),
            List.of(Integer.toString(limit))),
        result -> ScriptResults.records(tenant, key, result));
  }

  private <R> Future<R> run(
      String operation,
      RedisScript script,
      ScopedKey key,
      List<Object> args,
      Function<Response, R> reader) {
    List<String> keys = List.of(name(key));
    return ScriptResults.read(operation, connections.run(operation, script, keys, args), reader);
  }

  private static String name(ScopedKey key) {
    return RedisKeys.records(key.tenant(), key.key());
  }

  private static List<Object> held(Claim claim) {
    return List.of(RecordBytes.held(claim));
  }
}
