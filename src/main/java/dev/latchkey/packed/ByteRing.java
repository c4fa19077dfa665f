package dev.latchkey.packed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Records as bytes, one behind the other in arrays that are given up as a whole, the eldest first,
 * and filled anew: for what passes through. Nothing is moved; a record that is forgotten keeps its
 * room until all that share its array are. One that is larger than such an array has one of its
 * own. Not thread-safe.
 */
public final class ByteRing {

  /** The array, where it is kept, how old its first record is, what is written, and what counts. */
  private static final class Chunk {
    final int place;
    final byte[] bytes;
    final long age;
    int taken;
    int remembered;

    Chunk(int place, byte[] bytes, long age) {
      this.place = place;
      this.bytes = bytes;
      this.age = age;
    }
  }

  /** An array that is given up at a time is at most so small a part of all. */
  private static final int PARTS = 32;

  /** Before each record: how many bytes both have. */
  private static final int HEAD = 4;

  /** Records begin at multiples of eight bytes, by which their numbers count. */
  private static final int UNIT_BITS = 3;

  private static final int CHUNK_BITS = 16;
  private static final int PLACE_BITS = CHUNK_BITS - UNIT_BITS;
  private static final int START_MASK = (1 << PLACE_BITS) - 1;

  /** What an array leaves of a power of two for its own header. */
  private static final int ARRAY_HEAD = 32;

  private static final Chunk NO_CHUNK = new Chunk(0, new byte[0], 0);

  private final int chunkBytes;
  private final List<Chunk> chunks = new ArrayList<>();
  private final Deque<Integer> freePlaces = new ArrayDeque<>();
  private final Deque<Chunk> byAge = new ArrayDeque<>();
  private byte[] spare = {};
  private long bytes;

  /**
   * An empty ring.
   *
   * @param maxBytes how large its owner lets it become, 0 or more
   */
  public ByteRing(long maxBytes) {
    chunkBytes = (int) Math.min((1 << CHUNK_BITS) - ARRAY_HEAD, maxBytes / PARTS);
  }

  /** Returns what the arrays take, in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Returns whether there is no record. */
  public boolean isEmpty() {
    return byAge.isEmpty();
  }

  /**
   * Adds a record.
   *
   * @param record its bytes, which are copied
   * @param age of the record, not less than that of any before
   * @return its number, which is given away again once the record was dropped
   */
  public int add(Packer record, long age) {
    int size = (HEAD + record.size() + (1 << UNIT_BITS) - 1) >>> UNIT_BITS << UNIT_BITS;
    Chunk youngest = byAge.peekLast();
    if (youngest == null || youngest.bytes.length - youngest.taken < size) {
      youngest = begin(Math.max(chunkBytes, size), age);
    }
    int start = youngest.taken;
    youngest.taken += size;
    youngest.remembered++;
    putInt(youngest.bytes, start, size);
    record.copyTo(youngest.bytes, start + HEAD);
    return youngest.place << PLACE_BITS | start >>> UNIT_BITS;
  }

  private Chunk begin(int size, long age) {
    byte[] room = spare.length == size ? spare : new byte[size];
    spare = new byte[0];
    int place = freePlaces.isEmpty() ? chunks.size() : freePlaces.pop();
    Chunk begun = new Chunk(place, room, age);
    if (place == chunks.size()) {
      chunks.add(begun);
    } else {
      chunks.set(place, begun);
    }
    byAge.add(begun);
    bytes += size;
    return begun;
  }

  /** Returns the age of the eldest record; there must be one. */
  public long eldestAge() {
    return byAge.getFirst().age;
  }

  /**
   * Drops the eldest record, which there must be, and those that share its array.
   *
   * @param dropped told of each before it goes, by its number, also of those forgotten
   */
  public void dropEldest(IntConsumer dropped) {
    Chunk eldest = byAge.removeFirst();
    for (int at = 0; at < eldest.taken; at += intAt(eldest.bytes, at)) {
      dropped.accept(eldest.place << PLACE_BITS | at >>> UNIT_BITS);
    }
    giveUp(eldest);
  }

  /**
   * Forgets a record, whose number may be given away again.
   *
   * @param number of the record
   */
  public void forget(int number) {
    Chunk chunk = chunks.get(number >>> PLACE_BITS);
    if (--chunk.remembered == 0) {
      byAge.remove(chunk);
      giveUp(chunk);
    }
  }

  private void giveUp(Chunk chunk) {
    bytes -= chunk.bytes.length;
    if (chunk.bytes.length == chunkBytes) {
      spare = chunk.bytes;
    }
    chunks.set(chunk.place, NO_CHUNK);
    freePlaces.push(chunk.place);
  }

  /**
   * Returns the array that holds a record.
   *
   * @param number of the record
   * @return not to be changed, and not to be read once the record was dropped
   */
  public byte[] array(int number) {
    return chunks.get(number >>> PLACE_BITS).bytes;
  }

  /**
   * Returns where in its array a record begins.
   *
   * @param number of the record
   * @return the index of its first byte
   */
  public int start(int number) {
    return ((number & START_MASK) << UNIT_BITS) + HEAD;
  }

  private static void putInt(byte[] to, int at, int value) {
    to[at] = (byte) (value >>> 24);
    to[at + 1] = (byte) (value >>> 16);
    to[at + 2] = (byte) (value >>> 8);
    to[at + 3] = (byte) value;
  }

  private static int intAt(byte[] from, int at) {
    return from[at] << 24
        | (from[at + 1] & 0xFF) << 16
        | (from[at + 2] & 0xFF) << 8
        | (from[at + 3] & 0xFF);
  }
}
