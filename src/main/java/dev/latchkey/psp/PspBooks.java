package dev.latchkey.psp;

import dev.latchkey.psp.PspAnswer.Approved;
import dev.latchkey.psp.PspAnswer.Declined;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The charges, what was counted, and the events not delivered yet: the sum of the journal's
 * records. The same code runs live and when the journal is read. Not safe for use by several
 * threads; the simulator guards it.
 */
final class PspBooks {
  private final Map<String, SimulatedCharge> charges = new HashMap<>();

  // Kept apart from the idempotency keys, so that it counts what happened, not what was meant to.
  private final Map<String, List<String>> chargesByKey = new HashMap<>();
  private final Map<String, PspEvent> undelivered = new LinkedHashMap<>();
  private long captured;
  private long refunds;
  private long declined;
  private long maxChargesPerKey;

  void apply(JournalRecord record) {
    if (record instanceof JournalRecord.Answered answered) {
      apply(answered);
    } else if (record instanceof JournalRecord.Delivered delivered) {
      undelivered.remove(delivered.eventId());
    }
  }

  private void apply(JournalRecord.Answered answered) {
    if (answered.answer() instanceof Declined) {
      declined++;
    } else if (answered.answer() instanceof Approved approved) {
      charges.put(approved.charge().id(), approved.charge());
      count(answered.call(), approved);
    }
    answered.event().ifPresent(event -> undelivered.put(event.id(), event));
  }

  private void count(PspCall call, Approved approved) {
    if (call instanceof PspCall.Charge charge) {
      captured += charge.capture() ? 1 : 0;
      List<String> ids =
          chargesByKey.merge(
              approved.charge().idempotencyKey(), List.of(approved.charge().id()), PspBooks::join);
      maxChargesPerKey = Math.max(maxChargesPerKey, ids.size());
    } else if (call instanceof PspCall.Capture) {
      captured++;
    } else if (call instanceof PspCall.Refund) {
      refunds++;
    }
  }

  private static List<String> join(List<String> some, List<String> more) {
    List<String> all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }

  Optional<SimulatedCharge> charge(String id) {
    return Optional.ofNullable(charges.get(id));
  }

  List<SimulatedCharge> chargesOf(String key) {
    return chargesByKey.getOrDefault(key, List.of()).stream()
        .map(charges::get)
        .filter(Objects::nonNull)
        .toList();
  }

  List<PspEvent> undelivered() {
    return List.copyOf(undelivered.values());
  }

  int undeliveredCount() {
    return undelivered.size();
  }

  PspStats stats(long duplicates) {
    return new PspStats(charges.size(), captured, refunds, declined, duplicates, maxChargesPerKey);
  }
}
