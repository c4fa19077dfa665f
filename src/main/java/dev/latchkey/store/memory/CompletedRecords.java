package dev.latchkey.store.memory;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.packed.HashIndex;
import dev.latchkey.packed.Packer;
import dev.latchkey.packed.RecordLog;
import dev.latchkey.packed.TextHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records that are completed and never change again, as bytes: there are millions of them, which as
 * objects the garbage collector would copy and look through one by one. A record is found by its
 * client key and drops out when it has expired and somebody purges, or uses its key again.
 *
 * <p>Safe for use by any thread: stripes with a lock each, held for a few steps and never while
 * another lock is taken. Records of one client key are added under the monitor of its {@link
 * KeySlot}, so that what a holder of that monitor finds here stays so, but for what has expired.
 */
final class CompletedRecords {

  private static final int STRIPES = 16;

  /** Guarded by itself. */
  private static final class Stripe {
    final RecordLog log = new RecordLog();
    final HashIndex index = new HashIndex();
    final DueHeap due = new DueHeap();
    final Packer packer = new Packer();
  }

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final AtomicInteger nextPurged = new AtomicInteger();
  private final MemoryBudget budget;

  /** Nothing so far; the budget is told what comes and goes. */
  CompletedRecords(MemoryBudget budget) {
    this.budget = budget;
    Arrays.setAll(stripes, index -> new Stripe());
  }

  /** Keeps a completed record whose key is not here. */
  void add(MemoryRecord record) {
    int hash = hash(record.key());
    Stripe stripe = stripe(hash);
    long weightBytes;
    synchronized (stripe) {
      PackedRecord.pack(record, stripe.packer);
      int number = stripe.log.add(stripe.packer);
      stripe.index.add(hash, number);
      stripe.due.add(number, record.deadlineMillis());
      weightBytes = PackedRecord.weightBytes(stripe.log.length(number));
    }
    budget.add(weightBytes);
  }

  /** Finds the record of a key, expired or not. */
  Optional<MemoryRecord> find(ScopedKey key) {
    int hash = hash(key);
    Stripe stripe = stripe(hash);
    synchronized (stripe) {
      int at = find(stripe, hash, key);
      return at < 0 ? Optional.empty() : Optional.of(record(stripe, stripe.index.number(at)));
    }
  }

  /** Lists the records of a client key, expired or not, in no order. */
  List<MemoryRecord> all(String tenant, String key) {
    List<MemoryRecord> found = new ArrayList<>();
    int hash = TextHash.of(tenant, key);
    Stripe stripe = stripe(hash);
    synchronized (stripe) {
      for (int at = stripe.index.first(hash); at >= 0; at = stripe.index.next(at, hash)) {
        MemoryRecord record = record(stripe, stripe.index.number(at));
        if (record.key().key().equals(key) && record.key().tenant().equals(tenant)) {
          found.add(record);
        }
      }
    }
    return found;
  }

  /** Drops the record of a key, if it is here and has expired. */
  void removeExpired(ScopedKey key, long nowMillis) {
    int hash = hash(key);
    Stripe stripe = stripe(hash);
    long weightBytes;
    synchronized (stripe) {
      int at = find(stripe, hash, key);
      if (at < 0 || !record(stripe, stripe.index.number(at)).isExpired(nowMillis)) {
        return;
      }
      stripe.due.remove(stripe.index.number(at));
      weightBytes = drop(stripe, at);
    }
    budget.add(-weightBytes);
  }

  /** Drops at most so many expired records and returns how many there were. */
  int purge(int limit, long nowMillis) {
    int removed = 0;
    int start = nextPurged.get();
    for (int i = 0; i < STRIPES && removed < limit; i++) {
      int index = Math.floorMod(start + i, STRIPES);
      nextPurged.set(index);
      while (removed < limit && purgeOne(stripes[index], nowMillis)) {
        removed++;
      }
    }
    return removed;
  }

  private boolean purgeOne(Stripe stripe, long nowMillis) {
    long weightBytes;
    synchronized (stripe) {
      if (stripe.due.isEmpty() || stripe.due.firstDueMillis() > nowMillis) {
        return false;
      }
      int number = stripe.due.poll();
      ScopedKey key = PackedRecord.key(stripe.log.array(number), stripe.log.start(number));
      weightBytes = drop(stripe, find(stripe, hash(key), key));
    }
    budget.add(-weightBytes);
    return true;
  }

  private static long drop(Stripe stripe, int at) {
    int number = stripe.index.number(at);
    long weightBytes = PackedRecord.weightBytes(stripe.log.length(number));
    stripe.index.remove(at);
    stripe.log.remove(number);
    return weightBytes;
  }

  private static int find(Stripe stripe, int hash, ScopedKey key) {
    for (int at = stripe.index.first(hash); at >= 0; at = stripe.index.next(at, hash)) {
      int number = stripe.index.number(at);
      if (PackedRecord.isOf(key, stripe.log.array(number), stripe.log.start(number))) {
        return at;
      }
    }
    return -1;
  }

  private static MemoryRecord record(Stripe stripe, int number) {
    return PackedRecord.unpack(stripe.log.array(number), stripe.log.start(number));
  }

  private static int hash(ScopedKey key) {
    return TextHash.of(key.tenant(), key.key());
  }

  /** By the upper bits: the index goes by the lower ones. */
  private Stripe stripe(int hash) {
    return stripes[hash >>> 28];
  }
}
