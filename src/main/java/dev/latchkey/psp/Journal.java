package dev.latchkey.psp;

import io.vertx.core.Future;

/**
 * Where changes become durable, in the order they are appended. Safe for use by any thread; never
 * blocks its caller.
 */
interface Journal {

  /** Keeps nothing: everything is as durable as the process. */
  Journal NONE =
      new Journal() {
        @Override
        public Future<Void> append(JournalRecord record) {
          return Future.succeededFuture();
        }

        @Override
        public Future<Void> settled() {
          return Future.succeededFuture();
        }

        @Override
        public boolean hasRoom() {
          return true;
        }

        @Override
        public Future<Void> close() {
          return Future.succeededFuture();
        }
      };

  /**
   * Appends a change.
   *
   * @return completes once it survives the process; fails when it may not, and so does every later
   *     one
   */
  Future<Void> append(JournalRecord record);

  /** Completes once everything appended so far is durable, at once when it is. */
  Future<Void> settled();

  /** Returns false while too much waits to be written; nothing new should be begun then. */
  boolean hasRoom();

  /** Writes what waits and lets go of the files. */
  Future<Void> close();
}
