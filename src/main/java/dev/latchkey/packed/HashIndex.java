package dev.latchkey.packed;

/**
 * Finds the numbers of records by the hashes of their keys: one array with open addressing, so that
 * an entry is no object, the garbage collector has nothing to look through, and growing reads no
 * record. Whoever looks compares the records: several may have one hash. Hashes have to be such as
 * nobody can choose, see {@link TextHash}. Not thread-safe.
 *
 * <pre>
 * for (int at = index.first(hash); at >= 0; at = index.next(at, hash)) {
 *   if (isWanted(index.number(at))) ...
 * }
 * </pre>
 */
public final class HashIndex {

  private static final int FIRST_ROOM = 16;

  /** Pairs of a hash and a number plus one; zero where there is none. */
  private int[] cells = new int[2 * FIRST_ROOM];

  private int mask = FIRST_ROOM - 1;
  private int size;

  /** An empty index. */
  public HashIndex() {}

  /**
   * Finds the first entry with a hash.
   *
   * @param hash of the key that is looked for
   * @return its place until the next change, or -1
   */
  public int first(int hash) {
    return from(hash & mask, hash);
  }

  /**
   * Finds the next entry with a hash.
   *
   * @param at the place of the entry before
   * @param hash of the key that is looked for
   * @return its place until the next change, or -1
   */
  public int next(int at, int hash) {
    return from((at + 1) & mask, hash);
  }

  private int from(int start, int hash) {
    for (int at = start; cells[2 * at + 1] != 0; at = (at + 1) & mask) {
      if (cells[2 * at] == hash) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Returns the record of an entry.
   *
   * @param at its place
   * @return its number
   */
  public int number(int at) {
    return cells[2 * at + 1] - 1;
  }

  /**
   * Gives an entry to another record with the same key.
   *
   * @param at its place
   * @param number the record's number, 0 or more
   */
  public void replace(int at, int number) {
    cells[2 * at + 1] = number + 1;
  }

  /**
   * Adds an entry.
   *
   * @param hash of the record's key
   * @param number the record's number, 0 or more
   */
  public void add(int hash, int number) {
    if (2 * ++size > mask) {
      grow();
    }
    put(hash, number + 1);
  }

  private void put(int hash, int entry) {
    int at = hash & mask;
    while (cells[2 * at + 1] != 0) {
      at = (at + 1) & mask;
    }
    cells[2 * at] = hash;
    cells[2 * at + 1] = entry;
  }

  private void grow() {
    int[] old = cells;
    cells = new int[2 * old.length];
    mask = 2 * mask + 1;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i + 1] != 0) {
        put(old[i], old[i + 1]);
      }
    }
  }

  /**
   * Takes out an entry. Those behind it move up, so that none is behind a gap.
   *
   * @param at its place
   */
  public void remove(int at) {
    size--;
    int gap = at;
    for (int i = (gap + 1) & mask; cells[2 * i + 1] != 0; i = (i + 1) & mask) {
      int home = cells[2 * i] & mask;
      if (((i - home) & mask) >= ((i - gap) & mask)) {
        cells[2 * gap] = cells[2 * i];
        cells[2 * gap + 1] = cells[2 * i + 1];
        gap = i;
      }
    }
    cells[2 * gap + 1] = 0;
  }
}
