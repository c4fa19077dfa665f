package dev.latchkey.store.postgres;

/**
 * The limits of a store's connections and calls, read from its options.
 *
 * @param callTimeoutMillis see {@link #connectLimitMillis}, {@link #queueLimitMillis} and {@link
 *     #statementLimitMillis}, which share it
 * @param lockTimeoutMillis how long a statement waits for a locked row
 * @param maxBatch maximum keys in one statement
 * @param maxBatchBytes maximum size of the responses in one statement
 * @param maxQueue maximum calls that wait for one connection
 * @param maxTransactions maximum concurrent transactions
 * @param applicationName name of the connections on the server
 */
record Limits(
    long callTimeoutMillis,
    long lockTimeoutMillis,
    int maxBatch,
    int maxBatchBytes,
    int maxQueue,
    int maxTransactions,
    String applicationName) {

  long connectLimitMillis() {
    return callTimeoutMillis / 4;
  }

  long queueLimitMillis() {
    return callTimeoutMillis / 4;
  }

  long statementLimitMillis() {
    return callTimeoutMillis / 2;
  }

  /** Shorter than the client's own limit, so that the server's definite refusal comes first. */
  long serverStatementLimitMillis() {
    return Math.max(1, callTimeoutMillis * 2 / 5);
  }
}
