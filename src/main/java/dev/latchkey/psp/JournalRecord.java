package dev.latchkey.psp;

import java.util.Optional;

/** One change of the PSP's state; all of them in order are the state. */
sealed interface JournalRecord {

  /**
   * A call was decided for good: approved, declined or refused. A dispute may come without a key.
   */
  record Answered(Optional<String> key, PspCall call, PspAnswer answer, Optional<PspEvent> event)
      implements JournalRecord {}

  /** A flaky charge was answered 503 for the first time. */
  record Attempted(String key, PspCall call) implements JournalRecord {}

  /** An event reached its receiver. */
  record Delivered(String eventId) implements JournalRecord {}

  /** How many duplicates were suppressed so far, altogether. */
  record Duplicates(long total) implements JournalRecord {}
}
