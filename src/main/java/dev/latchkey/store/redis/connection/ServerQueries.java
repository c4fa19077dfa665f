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

  /** Returns the results of all servers. */
  static Future<List<Response>> ask(
      RedisConnections connections, String operation, String command, String... arguments) {
    return askEach(connections, operation, false, command, arguments)
        .map(
            all ->
                all.stream()
                    .map(it -> it.orElseThrow(() -> RedisConnections.nil(operation)))
                    .toList());
  }

  /** As {@link #ask}; an empty list if a server forbids the command or does not have it. */
  static Future<List<Response>> askIfAllowed(
      RedisConnections connections, String operation, String command, String... arguments) {
    return askEach(connections, operation, true, command, arguments)
        .map(
            all ->
                all.stream().allMatch(Optional::isPresent)
                    ? all.stream().flatMap(Optional::stream).toList()
                    : List.of());
  }

  private static Future<List<Optional<Response>>> askEach(
      RedisConnections connections,
      String operation,
      boolean optional,
      String command,
      String... arguments) {
    return servers(connections)
        .compose(
            servers -> {
              List<Future<Optional<Response>>> results = new ArrayList<>();
              for (RedisAddress server : servers) {
                Object[] copy = List.of(arguments).toArray();
                Call call =
                    Call.of(
                        operation,
                        Kind.READS,
                        command,
                        copy,
                        SlotMap.ANY,
                        connections.deadlineNanos());
                results.add(connections.loop().submit(optional ? call.optional() : call, server));
              }
              return Future.join(results).map(joined -> joined.<Optional<Response>>list());
            });
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
