package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.KeyState.Completed;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RefusedCall;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims keys, renews claims and records their steps. Safe for use by any thread. */
final class Claims {

  private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);

  static final int RENEWED_PER_CALL = 256;

  private final RedisConnections connections;
  private final Scripts scripts;

  Claims(RedisConnections connections, Scripts scripts) {
    this.connections = connections;
    this.scripts = scripts;
  }

  /** Claims a key, or reads it if the server accepts no writes. */
  Future<ClaimResult> claim(ClaimRequest request, Function<ScopedKey, Future<KeyState>> lookup) {
    Claim claim = request.claim();
    long retentionMillis = RecordBytes.bounded(request.retentionMillis());
    return connections
        .write(
            "claim",
            scripts.claim,
            List.of(RedisKeys.records(claim.key())),
            RecordBytes.firstUse(request),
            result -> ScriptResults.claim(result, retentionMillis))
        .recover(
            refused ->
                RefusedCall.isForWritesOnly(refused)
                    ? lookup
                        .apply(claim.key())
                        .transform(
                            read ->
                                read.succeeded() && read.result() instanceof Completed completed
                                    ? Future.succeededFuture(replay(claim, completed))
                                    : Future.failedFuture(refused))
                    : Future.failedFuture(refused));
  }

  private static ClaimResult replay(Claim claim, Completed completed) {
    return completed.fingerprint().equals(claim.fingerprint())
        ? new ClaimResult.Completed(completed.response(), completed.expiry())
        : new ClaimResult.Mismatch(
            Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
  }

  /** Records a step; a result that is too large counts as too many. */
  Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    if (name.isEmpty() || name.length() > IdempotencyStore.MAX_STEP_NAME_CHARS) {
      return Future.failedFuture(
          new StoreException(
              Outcome.NOT_DONE,
              "recordStep: the name has "
                  + name.length()
                  + " characters, allowed are 1 to "
                  + IdempotencyStore.MAX_STEP_NAME_CHARS
                  + "; a retry cannot help"));
    }
    List<Object> args = new ArrayList<>();
    args.add(RecordBytes.held(claim));
    args.add(Integer.toString(IdempotencyStore.MAX_STEPS));
    args.add(RedisKeys.escaped(name));
    if (result.length() <= IdempotencyStore.MAX_STEP_BYTES) {
      args.add(result.getBytes());
    }
    return connections.run(
        "recordStep",
        scripts.step,
        List.of(RedisKeys.records(claim.key())),
        args,
        recorded ->
            switch (recorded.toInteger()) {
              case 0 -> StepResult.LOST_LEASE;
              case 1 -> StepResult.RECORDED;
              default -> StepResult.TOO_MANY;
            });
  }

  /** Renews claims; returns the tokens of those that are not held. */
  Future<Set<Token>> renew(List<Claim> claims) {
    Map<String, List<Claim>> byTenant = new LinkedHashMap<>();
    for (Claim claim : claims) {
      byTenant.computeIfAbsent(claim.key().tenant(), it -> new ArrayList<>()).add(claim);
    }
    List<Future<Set<Token>>> calls = new ArrayList<>();
    for (List<Claim> ofTenant : byTenant.values()) {
      for (int from = 0; from < ofTenant.size(); from += RENEWED_PER_CALL) {
        List<Claim> some =
            ofTenant.subList(from, Math.min(ofTenant.size(), from + RENEWED_PER_CALL));
        calls.add(
            together(some)
                .recover(
                    failure ->
                        RefusedCall.isSplit(failure)
                            ? union(some.stream().map(it -> together(List.of(it))).toList())
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

  private Future<Set<Token>> together(List<Claim> claims) {
    List<String> keys = new ArrayList<>();
    List<Object> args = new ArrayList<>();
    for (Claim claim : claims) {
      keys.add(RedisKeys.records(claim.key()));
      args.add(RecordBytes.held(claim));
      args.add(Long.toString(RecordBytes.bounded(claim.leaseMillis())));
    }
    return connections.run(
        "renew",
        scripts.renew,
        keys,
        args,
        result -> {
          Set<Token> lost = new HashSet<>();
          result.get(0).forEach(place -> lost.add(claims.get(place.toInteger()).token()));
          for (Response place : result.get(1)) {
            LOG.warn("Unreadable record, lease not renewed: {}", keys.get(place.toInteger()));
            lost.add(claims.get(place.toInteger()).token());
          }
          return lost;
        });
  }
}
