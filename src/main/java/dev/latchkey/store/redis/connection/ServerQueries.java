package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.redis.connection.Call.Kind;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sends read-only commands without a key to every server that has slots. */
final class ServerQueries {

  private ServerQueries() {}

  /** Returns all results; none if a server forbids the command or does not have it. */
  static Future<List<Response>> ask(
      RedisConnections connections, String operation, String... words) {
    return servers(connections)
        .compose(
            servers -> {
              LoopConnections loop = connections.loop();
              List<Future<Optional<Response>>> results = new ArrayList<>();
              for (RedisAddress server : servers) {
                long deadlineNanos = connections.deadlineNanos();
                Call call = Call.of(operation, Kind.READS, SlotMap.ANY, deadlineNanos, words);
                results.add(loop.submit(call.optional(), server));
              }
              return Future.join(results).map(joined -> all(joined.list()));
            });
  }

  private static List<Response> all(List<Optional<Response>> results) {
    return results.stream().allMatch(Optional::isPresent)
        ? results.stream().flatMap(Optional::stream).toList()
        : List.of();
  }

  /** Every server that has slots; fails if none has. */
  private static Future<Set<RedisAddress>> servers(RedisConnections connections) {
    SlotMap slots = connections.slots();
    if (slots.isComplete()) {
      return Future.succeededFuture(slots.masters());
    }
    return connections
        .loop()
        .learnSlots()
        .map(
            ignored -> {
              Set<RedisAddress> masters = slots.masters();
              if (masters.isEmpty()) {
                throw new StoreException(
                    Outcome.NOT_DONE, "no node of this Redis cluster serves any slot");
              }
              return masters;
            });
  }
}
