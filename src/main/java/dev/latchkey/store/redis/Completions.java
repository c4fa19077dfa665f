package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisScript;
import dev.latchkey.store.redis.connection.RefusedCall;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Completes keys with their effects. Safe for use by any thread. */
final class Completions {

  private static final CompleteResult LOST = new CompleteResult.LostLease();

  private final RedisConnections connections;
  private final RedisEffectKinds kinds;
  private final Scripts scripts;

  Completions(RedisConnections connections, RedisEffectKinds kinds, Scripts scripts) {
    this.connections = connections;
    this.kinds = kinds;
    this.scripts = scripts;
  }

  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<Effect> effects) {
    try {
      return send(claim, response, effects);
    } catch (RuntimeException unwritable) {
      return Future.failedFuture(
          new StoreException(
              Outcome.NOT_DONE,
              "complete: an effect or the response cannot be encoded: "
                  + unwritable
                  + "; a retry cannot help",
              unwritable));
    }
  }

  private Future<CompleteResult> send(Claim claim, StoredResponse response, List<Effect> effects) {
    List<String> names = connections.isCluster() ? reservations(effects) : List.of();
    return reserve(claim.key().tenant(), names)
        .compose(
            taken -> {
              Completion completion =
                  Completion.of(claim, response, effects, kinds, taken, names.isEmpty());
              return run(completion, effects)
                  .recover(
                      failure ->
                          RefusedCall.isSplit(failure)
                              ? create(completion, effects)
                                  .compose(created -> run(completion, effects))
                              : Future.failedFuture(failure));
            });
  }

  private Future<CompleteResult> run(Completion completion, List<Effect> effects) {
    return connections.run(
        "complete",
        completion.script(scripts),
        completion.keys(),
        completion.args(),
        result -> result(result, effects));
  }

  /** Creates missing keys of effects one by one, since their slot is being moved. */
  private Future<?> create(Completion completion, List<Effect> effects) {
    List<Future<Integer>> created = new ArrayList<>();
    for (Effect effect : effects) {
      for (RedisEffectKind kind : kinds.kindOf(effect).stream().toList()) {
        List<String> keys = new ArrayList<>(kind.keys(effect));
        keys.retainAll(completion.keys());
        kind.creator().ifPresent(it -> keys.forEach(key -> created.add(create(it, key))));
      }
    }
    return Future.join(created);
  }

  private Future<Integer> create(RedisScript creator, String key) {
    return connections.run("complete", creator, List.of(key), List.of(), Response::toInteger);
  }

  private List<String> reservations(List<Effect> effects) {
    return effects.stream()
        .flatMap(
            effect ->
                kinds.kindOf(effect).stream().flatMap(kind -> kind.reservations(effect).stream()))
        .distinct()
        .toList();
  }

  /**
   * Reserves names before a completion on a cluster, where the completing script cannot reach names
   * outside the tenant. Returns the names that another tenant has.
   */
  private Future<Set<String>> reserve(String tenant, List<String> names) {
    if (names.isEmpty()) {
      return Future.succeededFuture(Set.of());
    }
    String holder = RedisKeys.escaped(tenant);
    List<Future<String>> holders = new ArrayList<>();
    for (String name : names) {
      List<String> args = List.of(holder);
      holders.add(
          connections.run("complete", scripts.reserve, List.of(name), args, Response::toString));
    }
    return Future.all(holders)
        .map(
            all -> {
              Set<String> taken = new HashSet<>(names);
              taken.removeIf(name -> all.resultAt(names.indexOf(name)).equals(holder));
              return taken;
            });
  }

  private static CompleteResult result(Response result, List<Effect> effects) {
    return switch (result.get(0).toInteger()) {
      case 1 -> new CompleteResult.Completed(ScriptResults.expiry(result, 1));
      case 2 -> LOST;
      default ->
          new CompleteResult.EffectRefused(
              effects.get(result.get(1).toInteger()).name(), result.get(2).toString());
    };
  }
}
