package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts.Kept;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The records of a client key in the claim store and in the receipts. */
final class MergedRecords {

  private MergedRecords() {}

  /** Merges both lists, oldest first; a receipt replaces the record of the same key. */
  static List<KeyRecord> of(List<KeyRecord> known, List<Kept> kept, int limit) {
    Map<ScopedKey, KeyRecord> byKey = new LinkedHashMap<>();
    known.forEach(record -> byKey.put(record.key(), record));
    kept.forEach(it -> byKey.put(it.key(), toRecord(it)));
    return byKey.values().stream()
        .sorted(Comparator.comparingLong(KeyRecord::createdAtEpochMillis))
        .limit(limit)
        .toList();
  }

  private static KeyRecord toRecord(Kept kept) {
    Receipt receipt = kept.receipt();
    return new KeyRecord(
        kept.key(),
        Phase.COMPLETED,
        receipt.attempt(),
        OptionalInt.of(receipt.response().status()),
        receipt.response().header("Location"),
        receipt.createdAtEpochMillis(),
        receipt.expiry().atEpochMillis());
  }
}
