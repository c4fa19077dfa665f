package dev.latchkey.psp.simulator;

import dev.latchkey.psp.PspCall;
import org.jspecify.annotations.Nullable;

/** One change of the simulator's state. The state is the sum of all entries in order. */
sealed interface JournalEntry {

  /** A call has its final result. Only a dispute may have no key. */
  record Finished(
      @Nullable String key, PspCall call, SimulatorResult result, @Nullable SimulatorEvent event)
      implements JournalEntry {}

  /** The first call of a flaky charge got 503. */
  record FlakyRefusal(String key, PspCall call) implements JournalEntry {}

  /** An event was delivered. */
  record Delivered(String eventId) implements JournalEntry {}

  /** The number of suppressed duplicates, in total. */
  record Duplicates(long total) implements JournalEntry {}
}
