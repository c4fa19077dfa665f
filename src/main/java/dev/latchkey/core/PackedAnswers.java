package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.packed.ByteRing;
import dev.latchkey.packed.HashIndex;
import dev.latchkey.packed.Packer;
import dev.latchkey.packed.TextHash;
import dev.latchkey.packed.Unpacker;

/**
 * Completed answers that nobody has asked for yet, as bytes. Hardly any is ever asked for, but all
 * pass through: as objects in a table, they would be looked at by the garbage collector again and
 * again while they are there. Not thread-safe, and without a bound of its own.
 */
final class PackedAnswers {

  private final HashIndex index = new HashIndex();
  private final Packer packer = new Packer();
  private final ByteRing ring;

  /**
   * Keeps none yet.
   *
   * @param maxBytes what its owner allows, of which a part is given up at a time
   */
  PackedAnswers(long maxBytes) {
    ring = new ByteRing(maxBytes);
  }

  /** What the bytes take, those of forgotten answers among others included. */
  long bytes() {
    return ring.bytes();
  }

  /**
   * Adds an answer whose key is not here.
   *
   * @param response the answer, encoded
   * @param age more than that of any before
   */
  void add(Operation operation, byte[] response, ReplayCache.Life life, long age) {
    int hash = hash(operation.key());
    packer.number(hash);
    packer.text(operation.key().key());
    packer.text(operation.key().route());
    packer.text(operation.key().tenant());
    packer.raw(operation.fingerprint().hash(), 0, Fingerprint.HASH_BYTES);
    packer.bytes(operation.fingerprint().memberSketch());
    packer.number(life.expiry().atEpochMillis());
    packer.number(life.expiry().inMillis());
    packer.number(life.freeAtNanos());
    packer.bytes(response);
    index.add(hash, ring.add(packer, age));
    packer.clear();
  }

  boolean isEmpty() {
    return ring.isEmpty();
  }

  /** The age of the eldest; there must be one. */
  long eldestAge() {
    return ring.eldestAge();
  }

  /** Drops the eldest, and those that came soon after it; there must be one. */
  void dropEldest() {
    ring.dropEldest(
        number -> {
          int hash = (int) unpacker(number).number();
          for (int at = index.first(hash); at >= 0; at = index.next(at, hash)) {
            if (index.number(at) == number) {
              index.remove(at);
              return;
            }
          }
        });
  }

  /** Finds the place of a key until the next change, or -1. */
  int find(ScopedKey key) {
    int hash = hash(key);
    for (int at = index.first(hash); at >= 0; at = index.next(at, hash)) {
      Unpacker from = unpacker(index.number(at));
      from.number();
      if (from.isText(key.key()) && from.isText(key.route()) && from.isText(key.tenant())) {
        return at;
      }
    }
    return -1;
  }

  /** Makes an object of what stands at the place of a key. */
  ReplayCache.Completed unpack(int at, ScopedKey key, long age) {
    Unpacker from = unpacker(index.number(at));
    from.number();
    from.skipText();
    from.skipText();
    from.skipText();
    return new ReplayCache.Completed(
        key,
        Fingerprint.of(from.raw(Fingerprint.HASH_BYTES), from.bytes()),
        new ReplayCache.Life(new Expiry(from.number(), from.number()), from.number()),
        StoredResponseCodec.decode(from.bytes()),
        age);
  }

  /** Forgets what stands at a place. */
  void forget(int at) {
    ring.forget(index.number(at));
    index.remove(at);
  }

  private static int hash(ScopedKey key) {
    return TextHash.of(key.tenant(), key.key());
  }

  private Unpacker unpacker(int number) {
    return new Unpacker(ring.array(number), ring.start(number));
  }
}
