package dev.latchkey.packed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records as bytes, under numbers, one behind the other in large arrays: the garbage collector
 * copies an array instead of the objects of a thousand records. Not thread-safe.
 *
 * <p>An array of which a quarter is dead is given up, and what lives in it moves to the end; so no
 * more than a third is kept beyond what lives, besides one array under way that is at most a
 * quarter of the whole. A large record has an array of its own.
 */
public final class RecordLog {

  private static final int MIN_CHUNK = 1 << 14;
  private static final int MAX_CHUNK = 1 << 20;

  /**
   * What an array leaves of a power of two for its own header: one that is a little larger than a
   * region of the garbage collector, or half of one, would take a whole one more.
   */
  private static final int ARRAY_HEAD = 32;

  /** From here on a record has an array of its own. */
  private static final int LARGE = 1 << 11;

  /** Before each record: its number, and how many bytes it has. */
  private static final int HEAD = 8;

  private static final byte[] GONE = {};
  private static final long FREE = -1;

  private final List<byte[]> chunks = new ArrayList<>();

  /** By chunk: the bytes that are taken, and those that are alive. */
  private int[] taken = new int[4];

  private int[] alive = new int[4];

  private int[] freeChunks = new int[4];
  private int freeChunkCount;

  /** By number: the chunk in the upper half, where the record begins in the lower. */
  private long[] places = new long[16];

  private int numbers;
  private int[] freeNumbers = new int[4];
  private int freeNumberCount;
  private int last = -1;
  private long bytes;

  /** An empty log. */
  public RecordLog() {}

  /**
   * Adds a record.
   *
   * @param record its bytes, which are copied; the packer is cleared
   * @return its number; the least that is free when none was removed
   */
  public int add(Packer record) {
    int number;
    if (freeNumberCount > 0) {
      number = freeNumbers[--freeNumberCount];
    } else {
      number = numbers++;
      if (number == places.length) {
        places = Arrays.copyOf(places, 2 * number);
      }
    }
    put(number, record);
    return number;
  }

  /**
   * Replaces a record.
   *
   * @param number of the record
   * @param record its bytes from now on, which are copied; the packer is cleared
   */
  public void replace(int number, Packer record) {
    long before = places[number];
    places[number] = FREE;
    drop(before);
    put(number, record);
  }

  /**
   * Removes a record, whose number is given away again.
   *
   * @param number of the record
   */
  public void remove(int number) {
    long before = places[number];
    places[number] = FREE;
    if (freeNumberCount == freeNumbers.length) {
      freeNumbers = Arrays.copyOf(freeNumbers, 2 * freeNumberCount);
    }
    freeNumbers[freeNumberCount++] = number;
    drop(before);
  }

  /**
   * Returns the array that holds a record, until the next change.
   *
   * @param number of the record
   * @return not to be changed
   */
  public byte[] array(int number) {
    return chunks.get(chunk(places[number]));
  }

  /**
   * Returns where in its array a record begins, until the next change.
   *
   * @param number of the record
   * @return the index of its first byte
   */
  public int start(int number) {
    return offset(places[number]) + HEAD;
  }

  /**
   * Returns how long a record is.
   *
   * @param number of the record
   * @return in bytes
   */
  public int length(int number) {
    return intAt(array(number), offset(places[number]) + 4);
  }

  /** Returns how many bytes are kept in arrays, dead ones included. */
  long keptBytes() {
    return bytes;
  }

  private void put(int number, Packer record) {
    int size = HEAD + record.size();
    int chunk = room(size);
    int at = taken[chunk];
    byte[] target = chunks.get(chunk);
    putInt(target, at, number);
    putInt(target, at + 4, record.size());
    record.copyTo(target, at + HEAD);
    record.clear();
    take(number, chunk, size);
  }

  private void take(int number, int chunk, int size) {
    places[number] = (long) chunk << 32 | taken[chunk];
    taken[chunk] += size;
    alive[chunk] += size;
  }

  private int room(int size) {
    if (size >= LARGE) {
      return newChunk(size);
    }
    if (last < 0 || chunks.get(last).length - taken[last] < size) {
      int full = last;
      long quarter = Long.highestOneBit(Math.max(1, bytes / 4));
      last = newChunk((int) Math.max(MIN_CHUNK, Math.min(MAX_CHUNK, quarter)) - ARRAY_HEAD);
      if (full >= 0) {
        tidy(full);
        return room(size);
      }
    }
    return last;
  }

  private int newChunk(int size) {
    bytes += size;
    if (freeChunkCount > 0) {
      int chunk = freeChunks[--freeChunkCount];
      chunks.set(chunk, new byte[size]);
      return chunk;
    }
    int chunk = chunks.size();
    chunks.add(new byte[size]);
    if (chunk == taken.length) {
      taken = Arrays.copyOf(taken, 2 * chunk);
      alive = Arrays.copyOf(alive, 2 * chunk);
      freeChunks = Arrays.copyOf(freeChunks, 2 * chunk);
    }
    return chunk;
  }

  private void drop(long place) {
    int chunk = chunk(place);
    alive[chunk] -= HEAD + intAt(chunks.get(chunk), offset(place) + 4);
    if (chunk != last) {
      tidy(chunk);
    } else if (alive[chunk] == 0) {
      taken[chunk] = 0;
    }
  }

  /** Gives up an array that is not written any more, if too little of it lives. */
  private void tidy(int chunk) {
    byte[] from = chunks.get(chunk);
    int end = taken[chunk];
    if (alive[chunk] >= end - end / 4) {
      return;
    }
    for (int at = 0, size; at < end; at += size) {
      int number = intAt(from, at);
      size = HEAD + intAt(from, at + 4);
      if (places[number] == ((long) chunk << 32 | at)) {
        int to = room(size);
        System.arraycopy(from, at, chunks.get(to), taken[to], size);
        take(number, to, size);
      }
    }
    chunks.set(chunk, GONE);
    bytes -= from.length;
    taken[chunk] = 0;
    alive[chunk] = 0;
    freeChunks[freeChunkCount++] = chunk;
  }

  private static int chunk(long place) {
    return (int) (place >>> 32);
  }

  private static int offset(long place) {
    return (int) place;
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
