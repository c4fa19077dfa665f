package dev.latchkey.store.postgres.transaction;

/**
 * The connection of a transaction broke before its work ended, so that nothing of it was committed.
 * The work may succeed on another connection.
 */
final class ConnectionBrokeDuringWork extends Exception {

  private static final long serialVersionUID = 1L;

  ConnectionBrokeDuringWork() {
    super("the connection broke while the work of a transaction ran", null, false, false);
  }
}
