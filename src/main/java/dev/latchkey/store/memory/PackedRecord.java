package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import dev.latchkey.packed.Packer;
import dev.latchkey.packed.Unpacker;

/** A completed record as bytes. Its steps are left out: nobody is told of them any more. */
final class PackedRecord {

  /** What indexes and arrays take for a record besides its bytes, with room to spare. */
  private static final long FIXED_BYTES = 512;

  private PackedRecord() {}

  /** Writes a record, and nothing that an attempt to write another may have left. */
  static void pack(MemoryRecord record, Packer to) {
    to.clear();
    to.text(record.key().key());
    to.text(record.key().route());
    to.text(record.key().tenant());
    to.raw(record.fingerprint().hash(), 0, Fingerprint.HASH_BYTES);
    to.bytes(record.fingerprint().memberSketch());
    to.number(record.token().high());
    to.number(record.token().low());
    to.number(record.attempt());
    to.number(record.createdAtMillis());
    to.number(record.deadlineMillis());
    to.bytes(record.response());
  }

  static boolean isOf(ScopedKey key, byte[] bytes, int start) {
    Unpacker from = new Unpacker(bytes, start);
    return from.isText(key.key()) && from.isText(key.route()) && from.isText(key.tenant());
  }

  /** Returns what a record is found by, without reading the rest. */
  static ScopedKey key(byte[] bytes, int start) {
    return key(new Unpacker(bytes, start));
  }

  private static ScopedKey key(Unpacker from) {
    String key = from.text();
    String route = from.text();
    return new ScopedKey(from.text(), route, key);
  }

  static MemoryRecord unpack(byte[] bytes, int start) {
    Unpacker from = new Unpacker(bytes, start);
    return new MemoryRecord(
        key(from),
        Fingerprint.of(from.raw(Fingerprint.HASH_BYTES), from.bytes()),
        new Token(from.number(), from.number()),
        (int) from.number(),
        from.number(),
        from.number(),
        from.bytes());
  }

  /** Returns roughly how many bytes a record of so many occupies on the heap. */
  static long weightBytes(int packedBytes) {
    return FIXED_BYTES + packedBytes;
  }
}
