package dev.latchkey.store.postgres;

/**
 * Limits of a Postgres store. Immutable; {@link #defaults()} suit most nodes.
 *
 * @param callTimeoutMillis within this every statement ends, whatever the server does: a quarter of
 *     it for waiting, a quarter for connecting, half for the statement itself; 100 or more. Most
 *     calls are one statement. One that needs a second, such as a claim that takes a lapsed key
 *     over, or an end that finds its claim lost, may take this once more, and a transaction as long
 *     as its work besides
 * @param lockTimeoutMillis how long a statement waits for one row that another transaction holds
 * @param maxBatch most keys in one statement
 * @param maxBatchBytes most bytes of stored answers in one statement, save a single larger one
 * @param maxQueue most calls that wait for one connection; further ones fail at once
 * @param maxTransactions most transactions of several statements at a time, each on a connection of
 *     its own
 * @param applicationName how the connections show in {@code pg_stat_activity}
 */
public record PostgresStoreOptions(
    long callTimeoutMillis,
    long lockTimeoutMillis,
    int maxBatch,
    int maxBatchBytes,
    int maxQueue,
    int maxTransactions,
    String applicationName) {

  private static final PostgresStoreOptions DEFAULTS =
      new PostgresStoreOptions(4_000, 250, 256, 1 << 20, 10_000, 8, "latchkey");

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException when one is too small to work with
   */
  public PostgresStoreOptions {
    atLeast("callTimeoutMillis", callTimeoutMillis, 100);
    atLeast("lockTimeoutMillis", lockTimeoutMillis, 1);
    atLeast("maxBatch", maxBatch, 1);
    atLeast("maxBatchBytes", maxBatchBytes, 1);
    atLeast("maxQueue", maxQueue, 1);
    atLeast("maxTransactions", maxTransactions, 1);
  }

  /** Returns the limits that suit most nodes. */
  public static PostgresStoreOptions defaults() {
    return DEFAULTS;
  }

  /** Returns the same limits with another time that a statement waits for a locked row. */
  public PostgresStoreOptions withLockTimeoutMillis(long millis) {
    return with(callTimeoutMillis, millis, maxQueue, applicationName);
  }

  /** Returns the same limits with another time for every statement. */
  public PostgresStoreOptions withCallTimeoutMillis(long millis) {
    return with(millis, lockTimeoutMillis, maxQueue, applicationName);
  }

  /** Returns the same limits with another queue. */
  public PostgresStoreOptions withMaxQueue(int calls) {
    return with(callTimeoutMillis, lockTimeoutMillis, calls, applicationName);
  }

  /** Returns the same limits with another name for the connections. */
  public PostgresStoreOptions withApplicationName(String name) {
    return with(callTimeoutMillis, lockTimeoutMillis, maxQueue, name);
  }

  private PostgresStoreOptions with(long callMillis, long lockMillis, int queue, String name) {
    return new PostgresStoreOptions(
        callMillis, lockMillis, maxBatch, maxBatchBytes, queue, maxTransactions, name);
  }

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

  private static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is " + least + " up");
    }
  }
}
