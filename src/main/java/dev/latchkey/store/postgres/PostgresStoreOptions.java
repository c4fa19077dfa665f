package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.connection.Limits;
import io.vertx.core.json.JsonObject;

/**
 * Limits of a {@link PostgresStore} and of everything that uses the same kind of connections. The
 * defaults suit most nodes. Mutable and not thread-safe; a store reads its options once, when it is
 * created.
 *
 * <p>Every setter checks its value and throws {@link IllegalArgumentException} if it is too small
 * or does not fit an {@code int}.
 */
public final class PostgresStoreOptions {

  /** Default of {@link #getCallTimeoutMillis}: 4 s. */
  public static final long DEFAULT_CALL_TIMEOUT_MILLIS = 4_000;

  /** Default of {@link #getLockTimeoutMillis}: 250 ms. */
  public static final long DEFAULT_LOCK_TIMEOUT_MILLIS = 250;

  /** Default of {@link #getMaxBatch}: 256 keys. */
  public static final int DEFAULT_MAX_BATCH = 256;

  /** Default of {@link #getMaxBatchBytes}: 1 MiB. */
  public static final int DEFAULT_MAX_BATCH_BYTES = 1 << 20;

  /** Default of {@link #getMaxQueue}: 10,000 calls. */
  public static final int DEFAULT_MAX_QUEUE = 10_000;

  /** Default of {@link #getMaxTransactions}: 8. */
  public static final int DEFAULT_MAX_TRANSACTIONS = 8;

  /** Default of {@link #getMaxConnections}: 40. */
  public static final int DEFAULT_MAX_CONNECTIONS = 40;

  /** Default of {@link #getApplicationName}. */
  public static final String DEFAULT_APPLICATION_NAME = "latchkey";

  private long callTimeoutMillis = DEFAULT_CALL_TIMEOUT_MILLIS;
  private long lockTimeoutMillis = DEFAULT_LOCK_TIMEOUT_MILLIS;
  private int maxBatch = DEFAULT_MAX_BATCH;
  private int maxBatchBytes = DEFAULT_MAX_BATCH_BYTES;
  private int maxQueue = DEFAULT_MAX_QUEUE;
  private int maxTransactions = DEFAULT_MAX_TRANSACTIONS;
  private int maxConnections = DEFAULT_MAX_CONNECTIONS;
  private String applicationName = DEFAULT_APPLICATION_NAME;

  /** Creates options with the defaults. */
  public PostgresStoreOptions() {}

  /** Copies options. */
  public PostgresStoreOptions(PostgresStoreOptions other) {
    this(other.toJson());
  }

  /**
   * Reads options; an absent member keeps its default.
   *
   * @param json has the members that {@link #toJson} writes; others are ignored
   * @throws IllegalArgumentException if a value is too small
   * @throws ClassCastException if a value has another type
   */
  public PostgresStoreOptions(JsonObject json) {
    setCallTimeoutMillis(json.getLong("callTimeoutMillis", callTimeoutMillis));
    setLockTimeoutMillis(json.getLong("lockTimeoutMillis", lockTimeoutMillis));
    setMaxBatch(json.getInteger("maxBatch", maxBatch));
    setMaxBatchBytes(json.getInteger("maxBatchBytes", maxBatchBytes));
    setMaxQueue(json.getInteger("maxQueue", maxQueue));
    setMaxTransactions(json.getInteger("maxTransactions", maxTransactions));
    setMaxConnections(json.getInteger("maxConnections", maxConnections));
    setApplicationName(json.getString("applicationName", applicationName));
  }

  /** Returns every option under the name of its property. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("callTimeoutMillis", callTimeoutMillis)
        .put("lockTimeoutMillis", lockTimeoutMillis)
        .put("maxBatch", maxBatch)
        .put("maxBatchBytes", maxBatchBytes)
        .put("maxQueue", maxQueue)
        .put("maxTransactions", maxTransactions)
        .put("maxConnections", maxConnections)
        .put("applicationName", applicationName);
  }

  /** Returns a copy. */
  public PostgresStoreOptions copy() {
    return new PostgresStoreOptions(this);
  }

  /** Returns the limits as the connections read them; for the store's own packages. */
  public Limits limits() {
    return new Limits(
        callTimeoutMillis,
        lockTimeoutMillis,
        maxBatch,
        maxBatchBytes,
        maxQueue,
        maxTransactions,
        maxConnections,
        applicationName);
  }

  /** Returns the time within which every statement ends, in milliseconds. */
  public long getCallTimeoutMillis() {
    return callTimeoutMillis;
  }

  /**
   * Sets the time within which every statement ends, whatever the server does: a quarter of it for
   * waiting, a quarter for connecting, half for the statement itself. Most calls are one statement.
   * A call that needs a second one, such as a claim that takes over a key or a completion that
   * finds its claim lost, may take this time once more. A transaction may also take as long as its
   * work.
   *
   * @param millis 100 or more
   */
  public PostgresStoreOptions setCallTimeoutMillis(long millis) {
    callTimeoutMillis = atLeast("callTimeoutMillis", millis, 100);
    return this;
  }

  /** Returns how long a statement waits for a row that another transaction holds, in millis. */
  public long getLockTimeoutMillis() {
    return lockTimeoutMillis;
  }

  /** Sets how long a statement waits for a row that another transaction holds; 1 ms or more. */
  public PostgresStoreOptions setLockTimeoutMillis(long millis) {
    lockTimeoutMillis = atLeast("lockTimeoutMillis", millis, 1);
    return this;
  }

  /** Returns the maximum number of keys in one statement. */
  public int getMaxBatch() {
    return maxBatch;
  }

  /** Sets the maximum number of keys in one statement; 1 or more. */
  public PostgresStoreOptions setMaxBatch(int keys) {
    maxBatch = (int) atLeast("maxBatch", keys, 1);
    return this;
  }

  /** Returns the maximum size of the stored responses in one statement. */
  public int getMaxBatchBytes() {
    return maxBatchBytes;
  }

  /**
   * Sets the maximum size of the stored responses in one statement; a single larger response is
   * sent alone.
   *
   * @param bytes 1 or more
   */
  public PostgresStoreOptions setMaxBatchBytes(int bytes) {
    maxBatchBytes = (int) atLeast("maxBatchBytes", bytes, 1);
    return this;
  }

  /** Returns the maximum number of calls that wait for one connection. */
  public int getMaxQueue() {
    return maxQueue;
  }

  /** Sets the maximum number of calls that wait for one connection; further calls fail at once. */
  public PostgresStoreOptions setMaxQueue(int calls) {
    maxQueue = (int) atLeast("maxQueue", calls, 1);
    return this;
  }

  /** Returns the maximum number of concurrent transactions of several statements. */
  public int getMaxTransactions() {
    return maxTransactions;
  }

  /**
   * Sets the maximum number of concurrent transactions of several statements, each of which uses a
   * connection of its own.
   *
   * @param transactions 1 or more
   */
  public PostgresStoreOptions setMaxTransactions(int transactions) {
    maxTransactions = (int) atLeast("maxTransactions", transactions, 1);
    return this;
  }

  /** Returns the maximum number of connections. */
  public int getMaxConnections() {
    return maxConnections;
  }

  /**
   * Sets the maximum number of connections. A store uses five, one of them for notifications, and
   * one more for each concurrent transaction; {@link PostgresStatements} use four. With fewer,
   * statements share connections; a store needs three at least.
   *
   * @param connections 1 or more
   */
  public PostgresStoreOptions setMaxConnections(int connections) {
    maxConnections = (int) atLeast("maxConnections", connections, 1);
    return this;
  }

  /** Returns the name of the connections in {@code pg_stat_activity}. */
  public String getApplicationName() {
    return applicationName;
  }

  /** Sets the name of the connections in {@code pg_stat_activity}. */
  public PostgresStoreOptions setApplicationName(String name) {
    applicationName = name;
    return this;
  }

  private static long atLeast(String name, long value, long minimum) {
    if (value < minimum || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          name
              + " is "
              + value
              + (value < minimum ? ", the minimum is " + minimum : ", more than an int holds"));
    }
    return value;
  }
}
