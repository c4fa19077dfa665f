package dev.latchkey.store.redis.connection;

/** The slots of keys, for tests of other packages. */
public final class Slots {

  public static final int COUNT = SlotMap.SLOTS;

  private Slots() {}

  public static int of(String key) {
    return SlotMap.slotOf(key);
  }
}
