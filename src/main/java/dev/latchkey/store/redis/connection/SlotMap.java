package dev.latchkey.store.redis.connection;

import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The server of each slot. A single server has all slots until it says that it belongs to a
 * cluster. Shared by all event loops; safe for use by any thread.
 */
final class SlotMap {

  /** The number of hash slots of a cluster. */
  static final int SLOTS = 16_384;

  /** The slot of a call without a key: any server will do. */
  static final int ANY = -1;

  private static final long DISTRUST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<RedisAddress> seeds;
  private final AtomicReferenceArray<RedisAddress> owners = new AtomicReferenceArray<>(SLOTS);
  private final Map<RedisAddress, Long> downAtNanos = new ConcurrentHashMap<>();
  private volatile boolean cluster;

  SlotMap(List<RedisAddress> seeds) {
    this.seeds = List.copyOf(seeds);
    cluster = seeds.size() > 1;
  }

  boolean isCluster() {
    return cluster;
  }

  /** The server of a slot, if known. */
  Optional<RedisAddress> addressOf(int slot) {
    if (!cluster || slot == ANY) {
      return Optional.of(seeds.get(0));
    }
    return Optional.ofNullable(owners.get(slot));
  }

  /** A server belongs to a cluster. */
  void becomesCluster() {
    cluster = true;
  }

  /** A server redirected a slot, so this is a cluster. */
  void moved(int slot, RedisAddress address) {
    owners.set(slot, address);
    cluster = true;
  }

  /** A server said {@code CLUSTERDOWN}: it may be isolated, and its slots out of date. */
  void isDown(RedisAddress server, long nowNanos) {
    downAtNanos.put(server, nowNanos);
  }

  /** All known servers that may be asked for slots: none that said {@code CLUSTERDOWN} lately. */
  Set<RedisAddress> trusted(long nowNanos) {
    downAtNanos.values().removeIf(at -> nowNanos - at > DISTRUST_NANOS);
    Set<RedisAddress> trusted = known();
    trusted.removeAll(downAtNanos.keySet());
    return trusted.isEmpty() ? known() : trusted;
  }

  /** All servers that have slots, or the single one. */
  Set<RedisAddress> masters() {
    if (!cluster) {
      return Set.of(seeds.get(0));
    }
    Set<RedisAddress> masters = new LinkedHashSet<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      RedisAddress owner = owners.get(slot);
      if (owner != null) {
        masters.add(owner);
      }
    }
    return masters;
  }

  /** All servers that were ever named. */
  Set<RedisAddress> known() {
    Set<RedisAddress> known = new LinkedHashSet<>(seeds);
    known.addAll(masters());
    return known;
  }

  /** Whether every slot has an owner. */
  boolean isComplete() {
    if (!cluster) {
      return true;
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      if (owners.get(slot) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Applies the result of {@code CLUSTER SLOTS}. A slot that it does not name keeps its server.
   * Returns the servers that have no slots any more.
   *
   * @param ranges ranges with their servers, the master first
   * @param asked the server that responded; one that does not know its own name leaves it out
   */
  Set<RedisAddress> learn(Response ranges, RedisAddress asked) {
    Set<RedisAddress> gone = cluster ? masters() : new LinkedHashSet<>();
    for (Response range : ranges) {
      RedisAddress owner = address(range.get(2), asked);
      for (int slot = range.get(0).toInteger(); slot <= range.get(1).toInteger(); slot++) {
        owners.set(slot, owner);
      }
    }
    gone.removeAll(masters());
    return gone;
  }

  private static RedisAddress address(Response master, RedisAddress asked) {
    Response host = master.get(0);
    String name = host == null ? "" : host.toString();
    return new RedisAddress(name.isEmpty() ? asked.host() : name, master.get(1).toInteger());
  }

  /** The slot of a key, or of its hash tag if it has one. */
  static int slotOf(String key) {
    int open = key.indexOf('{');
    int close = open < 0 ? -1 : key.indexOf('}', open + 1);
    String hashed = close > open + 1 ? key.substring(open + 1, close) : key;
    return crc16(hashed.getBytes(StandardCharsets.UTF_8)) % SLOTS;
  }

  /** CRC-16/XMODEM, as specified by Redis Cluster. */
  private static int crc16(byte[] bytes) {
    int crc = 0;
    for (byte one : bytes) {
      crc ^= (one & 0xFF) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
      }
      crc &= 0xFFFF;
    }
    return crc;
  }
}
