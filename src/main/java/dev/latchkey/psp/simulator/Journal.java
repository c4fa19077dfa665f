package dev.latchkey.psp.simulator;

import io.vertx.core.Future;

/** Stores changes durably. This default implementation of a simulator in memory stores nothing. */
class Journal {

  /**
   * Appends a change.
   *
   * @return completes once the change is durable; fails if it may not be, and then so do all later
   *     appends
   */
  Future<Void> append(JournalEntry entry) {
    return Future.succeededFuture();
  }

  /** Completes once every change appended before is durable. */
  Future<Void> flushed() {
    return Future.succeededFuture();
  }

  /** Returns false while the queue is full; then no new call should start. */
  boolean hasRoom() {
    return true;
  }

  /** Writes the queue and closes the files. */
  Future<Void> close() {
    return Future.succeededFuture();
  }
}
