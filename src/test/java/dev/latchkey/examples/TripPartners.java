package dev.latchkey.examples;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Two systems that the application calls. Safe for any thread. */
final class TripPartners {

  /** Every call, in order. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  private final Map<String, String> rooms = new ConcurrentHashMap<>();
  private final Map<String, List<String>> couriers = new ConcurrentHashMap<>();

  /** Takes an idempotency key: the same key again is the same room. */
  Future<Buffer> reserveRoom(String idempotencyKey) {
    calls.add("reserve");
    String room = rooms.computeIfAbsent(idempotencyKey, key -> "room_" + rooms.size());
    return Future.succeededFuture(Buffer.buffer(room));
  }

  /** Knows no keys: every call sends one more courier. */
  Future<Buffer> sendCourier(String reference) {
    calls.add("send");
    List<String> sent = couriers.computeIfAbsent(reference, key -> new CopyOnWriteArrayList<>());
    sent.add("courier_" + sent.size());
    return Future.succeededFuture(Buffer.buffer(sent.get(sent.size() - 1)));
  }

  /** Which courier was sent under a reference, if any. */
  Future<Optional<Buffer>> findCourier(String reference) {
    calls.add("find");
    return Future.succeededFuture(
        couriers.getOrDefault(reference, List.of()).stream().findFirst().map(Buffer::buffer));
  }

  int rooms() {
    return rooms.size();
  }

  int couriers() {
    return couriers.values().stream().mapToInt(List::size).sum();
  }
}
