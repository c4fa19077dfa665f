package dev.latchkey.store.postgres.connection;

/**
 * The limits of connections and calls, read from the options of a store.
 *
 * @param callTimeoutMillis shared by the limits for connecting, waiting and the statement
 * @param lockTimeoutMillis how long a statement waits for a locked row
 * @param maxBatch maximum keys in one statement
 * @param maxBatchBytes maximum size of the responses in one statement
 * @param maxQueue maximum calls that wait for one connection
 * @param maxTransactions maximum concurrent transactions
 * @param maxConnections maximum connections of a user of the server
 * @param applicationName name of the connections on the server
 */
public record Limits(
    long callTimeoutMillis,
    long lockTimeoutMillis,
    int maxBatch,
    int maxBatchBytes,
    int maxQueue,
    int maxTransactions,
    int maxConnections,
    String applicationName) {

  /** Returns how long an attempt to connect may take. */
  public long connectLimitMillis() {
    return callTimeoutMillis / 4;
  }

  /** Returns how long a call may wait for a connection, for its statement, or for retries. */
  public long queueLimitMillis() {
    return callTimeoutMillis / 4;
  }

  /** Returns how long a statement may take. */
  public long statementLimitMillis() {
    return callTimeoutMillis / 2;
  }

  /** The server's limit is shorter than the client's, so that its definite refusal comes first. */
  long serverStatementLimitMillis() {
    return Math.max(1, callTimeoutMillis * 2 / 5);
  }
}
