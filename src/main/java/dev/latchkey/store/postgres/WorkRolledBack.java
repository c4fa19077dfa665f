package dev.latchkey.store.postgres;

/**
 * The server rolled back an execution of the application's work, because the connection broke or
 * another transaction conflicted. Another execution may succeed.
 */
final class WorkRolledBack extends Exception {

  private static final long serialVersionUID = 1L;

  WorkRolledBack() {
    super("the work of a transaction was rolled back", null, false, false);
  }
}
