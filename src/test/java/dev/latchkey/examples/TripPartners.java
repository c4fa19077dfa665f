package dev.latchkey.examples;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Two systems that the application calls. Thread-safe. */
final class TripPartners {

  /** Every call, in order. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  private final Map<String, String> rooms = new ConcurrentHashMap<>();
  private final Map<String, List<String>> couriers = new ConcurrentHashMap<>();

  /** Accepts an idempotency key: the same key returns the same room. */
  Future<Buffer> reserveRoom(String idempotencyKey) {
    calls.add("reserve");
    String room = rooms.computeIfAbsent(idempotencyKey, key -> "room_" + rooms.size());
    return Future.succeededFuture(Buffer.buffer(room));
  }

  /** Accepts no idempotency key: each call sends another courier. */
  Future<Buffer> sendCourier(String reference) {
    calls.add("send");
    List<String> sent = couriers.computeIfAbsent(reference, key -> new CopyOnWriteArrayList<>());
    sent.add("courier_" + sent.size());
    return Future.succeededFuture(Buffer.buffer(sent.get(sent.size() - 1)));
  }

  /** Finds the courier sent under a reference. */
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
