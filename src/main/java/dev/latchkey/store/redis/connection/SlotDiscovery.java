package dev.latchkey.store.redis.connection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Asks a cluster where its slots are. Confined to one event loop. */
final class SlotDiscovery {

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SlotMap slots;
  private final Function<RedisAddress, Future<Optional<Response>>> ask;
  private final Consumer<Set<RedisAddress>> learned;
  private Optional<Future<Void>> running = Optional.empty();
  private long startedAtNanos = System.nanoTime() - PAUSE_NANOS;

  /**
   * Prepares it.
   *
   * @param slots receives the results
   * @param ask sends {@code CLUSTER SLOTS} to a server
   * @param learned called after every attempt, with the servers that have no slots any more
   */
  SlotDiscovery(
      SlotMap slots,
      Function<RedisAddress, Future<Optional<Response>>> ask,
      Consumer<Set<RedisAddress>> learned) {
    this.slots = slots;
    this.ask = ask;
    this.learned = learned;
  }

  /** Asks the servers that have slots, and all trusted ones if none of them responds. */
  Future<Void> run() {
    if (running.isPresent()) {
      return running.get();
    }
    startedAtNanos = System.nanoTime();
    Set<RedisAddress> trusted = slots.trusted(startedAtNanos);
    Set<RedisAddress> masters = new LinkedHashSet<>(slots.masters());
    masters.retainAll(trusted);
    Future<Set<RedisAddress>> done =
        masters.isEmpty() ? askAny(trusted) : askAny(masters).recover(none -> askAny(trusted));
    running = Optional.of(done.mapEmpty());
    done.onComplete(
        gone -> {
          running = Optional.empty();
          learned.accept(gone.succeeded() ? gone.result() : Set.of());
        });
    return done.mapEmpty();
  }

  /** Asks in the background, at most once a second, if this is a cluster. */
  void runSoon() {
    if (slots.isCluster() && System.nanoTime() - startedAtNanos >= PAUSE_NANOS) {
      run();
    }
  }

  /**
   * Applies the first response that names slots: later ones may be those of servers that were cut
   * off. A server that left the cluster names none.
   */
  private Future<Set<RedisAddress>> askAny(Set<RedisAddress> servers) {
    Promise<Set<RedisAddress>> first = Promise.promise();
    List<Future<Response>> asked = new ArrayList<>();
    for (RedisAddress server : servers) {
      asked.add(
          ask.apply(server)
              .map(Optional::orElseThrow)
              .onSuccess(
                  response -> {
                    if (!first.future().isComplete() && response.size() > 0) {
                      first.complete(slots.learn(response, server));
                    }
                  }));
    }
    Future.join(asked)
        .onComplete(
            all -> {
              if (asked.stream().anyMatch(Future::succeeded)) {
                first.tryComplete(Set.of());
              } else {
                first.tryFail(all.cause());
              }
            });
    return first.future();
  }
}
