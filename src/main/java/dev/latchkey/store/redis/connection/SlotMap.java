package dev.latchkey.store.redis.connection;

import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which server has which keys. One server has them all until it says that it is part of a cluster.
 * Shared by all event loops; safe for use by any thread.
 */
final class SlotMap {

  /** How many hash slots a cluster has. */
  static final int SLOTS = 16_384;

  /** The slot of a call that names no key: any server will do. */
  static final int ANY = -1;

  private final List<RedisAddress> seeds;
  private final AtomicReferenceArray<RedisAddress> owners = new AtomicReferenceArray<>(SLOTS);
  private volatile boolean cluster;

  SlotMap(List<RedisAddress> seeds) {
    this.seeds = List.copyOf(seeds);
    cluster = seeds.size() > 1;
  }

  boolean isCluster() {
    return cluster;
  }

  /** Where a slot lives, as far as is known. */
  Optional<RedisAddress> addressOf(int slot) {
    if (!cluster || slot == ANY) {
      return Optional.of(seeds.get(0));
    }
    return Optional.ofNullable(owners.get(slot));
  }

  /** A server said that it is part of a cluster. */
  void becomesCluster() {
    cluster = true;
  }

  /** A server said where a slot lives: then this is a cluster. */
  void moved(int slot, RedisAddress address) {
    owners.set(slot, address);
    cluster = true;
  }

  /** Every server that has slots, or the one there is. */
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

  /** Everybody who can be asked about the cluster. */
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
   * Takes over an answer to {@code CLUSTER SLOTS}. A slot that it does not name keeps its owner.
   *
   * @param answer ranges with their servers, the master first
   * @param asked who answered; a server that does not know its own name leaves it out
   */
  void learn(Response answer, RedisAddress asked) {
    for (Response range : answer) {
      RedisAddress owner = address(range.get(2), asked);
      for (int slot = range.get(0).toInteger(); slot <= range.get(1).toInteger(); slot++) {
        owners.set(slot, owner);
      }
    }
  }

  private static RedisAddress address(Response master, RedisAddress asked) {
    Response host = master.get(0);
    String name = host == null ? "" : host.toString();
    return new RedisAddress(name.isEmpty() ? asked.host() : name, master.get(1).toInteger());
  }

  /** The slot of a key: of its hash tag if it has one, as every key here does. */
  static int slotOf(String key) {
    int open = key.indexOf('{');
    int close = open < 0 ? -1 : key.indexOf('}', open + 1);
    String hashed = close > open + 1 ? key.substring(open + 1, close) : key;
    return crc16(hashed.getBytes(StandardCharsets.UTF_8)) % SLOTS;
  }

  /** CRC-16/XMODEM, as the specification of Redis Cluster has it. */
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
