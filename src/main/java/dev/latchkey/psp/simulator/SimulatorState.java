package dev.latchkey.psp.simulator;

import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspResult.PspRefund;
import dev.latchkey.psp.simulator.SimulatorResult.Approved;
import dev.latchkey.psp.simulator.SimulatorResult.Declined;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Charges, counts and undelivered events: the sum of the journal's entries. The same code applies
 * an entry live and at startup. Not thread-safe; guarded by the simulator.
 */
final class SimulatorState {
  private static final int ID_BYTES = 16;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, SimulatedCharge> charges = new HashMap<>();
  // Independent of the idempotency keys, so that it counts what really happened.
  private final Map<String, List<String>> chargesByKey = new HashMap<>();
  private final Map<String, SimulatorEvent> undelivered = new LinkedHashMap<>();
  private long captured;
  private long refunds;
  private long declined;
  private long maxChargesPerKey;

  void apply(JournalEntry entry) {
    if (entry instanceof JournalEntry.Delivered delivered) {
      undelivered.remove(delivered.eventId());
    } else if (entry instanceof JournalEntry.Finished finished) {
      if (finished.result() instanceof Declined) {
        declined++;
      } else if (finished.result() instanceof Approved approved) {
        charges.put(approved.charge().id(), approved.charge());
        count(finished.call(), approved.charge());
      }
      SimulatorEvent event = finished.event();
      if (event != null) {
        undelivered.put(event.id(), event);
      }
    }
  }

  private void count(PspCall call, SimulatedCharge approved) {
    if (call instanceof PspCall.Charge charge) {
      captured += charge.capture() ? 1 : 0;
      List<String> ids =
          chargesByKey.computeIfAbsent(approved.idempotencyKey(), key -> new ArrayList<>(1));
      ids.add(approved.id());
      maxChargesPerKey = Math.max(maxChargesPerKey, ids.size());
    } else if (call instanceof PspCall.Capture) {
      captured++;
    } else if (call instanceof PspCall.Refund) {
      refunds++;
    }
  }

  /** Determines the result of a call, whose charge must exist. Changes nothing. */
  JournalEntry.Finished decide(@Nullable String key, PspCall call, boolean emitsEvents) {
    SimulatorResult result =
        call instanceof PspCall.Charge charge
            ? authorize(Objects.requireNonNull(key), charge)
            : change((PspCall.OnCharge) call);
    return new JournalEntry.Finished(key, call, result, emitsEvents ? event(call, result) : null);
  }

  private SimulatorResult authorize(String key, PspCall.Charge call) {
    return TestPaymentMethod.parse(call.paymentMethod()).orElseThrow()
            instanceof TestPaymentMethod.Declined method
        ? new Declined(method.declineCode())
        : new Approved(SimulatedCharge.of(newId("ch_"), call, key, Instant.now()), null);
  }

  private SimulatorResult change(PspCall.OnCharge call) {
    SimulatedCharge charge = charge(call.charge()).orElseThrow();
    return ChargeRules.decide(charge, call, () -> newId("re_"));
  }

  private @Nullable SimulatorEvent event(PspCall call, SimulatorResult result) {
    if (!emitsEvent(call) || !(result instanceof Approved approved)) {
      return null;
    }
    String charge = approved.charge().id();
    boolean refunded = call instanceof PspCall.Refund;
    if (!refunded && charge(charge).filter(SimulatedCharge::disputed).isPresent()) {
      return null;
    }
    PspRefund refund = approved.refund();
    return new SimulatorEvent(
        newId("evt_"),
        refunded ? SimulatorEvent.REFUNDED : SimulatorEvent.DISPUTED,
        Instant.now().toString(),
        new SimulatorEvent.Data(charge, refund == null ? null : refund.amount()));
  }

  /** Returns true if an approval of this call is an event. */
  static boolean emitsEvent(PspCall call) {
    return call instanceof PspCall.Dispute || (call instanceof PspCall.Refund r && r.byPsp());
  }

  private String newId(String prefix) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return prefix + HexFormat.of().formatHex(bytes);
  }

  Optional<SimulatedCharge> charge(String id) {
    return Optional.ofNullable(charges.get(id));
  }

  List<SimulatedCharge> chargesOf(String key) {
    return chargesByKey.getOrDefault(key, List.of()).stream()
        .map(id -> charge(id).orElseThrow())
        .toList();
  }

  List<SimulatorEvent> undelivered() {
    return List.copyOf(undelivered.values());
  }

  int undeliveredCount() {
    return undelivered.size();
  }

  SimulatorStats stats(long duplicates) {
    return new SimulatorStats(
        charges.size(), captured, refunds, declined, duplicates, maxChargesPerKey);
  }
}
