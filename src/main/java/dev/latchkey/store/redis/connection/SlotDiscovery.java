package dev.latchkey.store.redis.connection;

import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Asks a cluster where its slots are, one time at once. Confined to one event loop. */
final class SlotDiscovery {

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SlotMap slots;
  private final Function<RedisAddress, Future<Optional<Response>>> ask;
  private final Runnable learned;
  private Optional<Future<Void>> running = Optional.empty();
  private long startedAtNanos = System.nanoTime() - PAUSE_NANOS;

  /**
   * Prepares it.
   *
   * @param slots receives the results
   * @param ask sends {@code CLUSTER SLOTS} to a server
   * @param learned called after every attempt
   */
  SlotDiscovery(
      SlotMap slots, Function<RedisAddress, Future<Optional<Response>>> ask, Runnable learned) {
    this.slots = slots;
    this.ask = ask;
    this.learned = learned;
  }

  /** Asks the servers that have slots, and every known server if none of them responds. */
  Future<Void> run() {
    if (running.isPresent()) {
      return running.get();
    }
    startedAtNanos = System.nanoTime();
    Set<RedisAddress> masters = slots.masters();
    Future<Void> done =
        masters.isEmpty()
            ? askAny(slots.known())
            : askAny(masters).recover(none -> askAny(slots.known()));
    running = Optional.of(done);
    done.onComplete(
        ignored -> {
          running = Optional.empty();
          learned.run();
        });
    return done;
  }

  /** Asks in the background, at most once a second, if this is a cluster. */
  void runSoon() {
    if (slots.isCluster() && System.nanoTime() - startedAtNanos >= PAUSE_NANOS) {
      run();
    }
  }

  /** Completes with the first response or the last failure. */
  private Future<Void> askAny(Set<RedisAddress> servers) {
    List<Future<?>> asked = new ArrayList<>();
    for (RedisAddress server : servers) {
      asked.add(
          ask.apply(server)
              .onSuccess(response -> response.ifPresent(it -> slots.learn(it, server))));
    }
    return Future.any(asked).mapEmpty();
  }
}
