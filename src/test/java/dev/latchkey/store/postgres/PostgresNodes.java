package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Stores over one migrated database, each as on a node of its own. Closes what it opened. */
public final class PostgresNodes implements AutoCloseable {

  /** Long enough for a machine that is busy with other tests. */
  public static PostgresStoreOptions patient() {
    return new PostgresStoreOptions().setCallTimeoutMillis(40_000);
  }

  private static final String HELD_CLOCK =
      """
      CREATE TABLE test_clock (millis bigint NOT NULL);
      INSERT INTO test_clock VALUES (1700000000000);
      CREATE OR REPLACE FUNCTION latchkey_now() RETURNS bigint LANGUAGE sql STABLE
        AS 'SELECT millis FROM test_clock';
      """;

  public final Database database;
  public final EffectsInPostgres effects;
  public final Vertx vertx = TestVertx.create();
  private final Context loop = ((VertxInternal) vertx).createEventLoopContext();
  private final List<PostgresStore> stores = new ArrayList<>();
  private final List<PostgresReceipts> receipts = new ArrayList<>();

  public PostgresNodes(Database database) {
    this.database = database;
    await(PostgresSchema.keys().migrate(vertx, database.connectOptions()));
    effects = new EffectsInPostgres(database);
  }

  /** From here on the store's clock moves by {@link #advanceMillis} alone. */
  public void holdClock() {
    database.value(HELD_CLOCK);
  }

  public void advanceMillis(long millis) {
    database.value("UPDATE test_clock SET millis = millis + " + millis);
  }

  public PostgresReceipts openReceipts() {
    return openReceipts(patient(), database);
  }

  /** Opens receipts by way of another address. */
  public PostgresReceipts openReceipts(PostgresStoreOptions options, Database by) {
    PostgresReceipts opened = PostgresReceipts.create(vertx, by.connectOptions(), options, effects);
    receipts.add(opened);
    return opened;
  }

  PostgresStore open() {
    return open(patient());
  }

  PostgresStore open(PostgresStoreOptions options) {
    return open(options, database);
  }

  /** Opens a store that hears notices already, by way of another address. */
  PostgresStore open(PostgresStoreOptions options, Database by) {
    return open(options, by, System::nanoTime);
  }

  /** As above, with a clock of the test's for how long notices are waited for. */
  PostgresStore open(PostgresStoreOptions options, Database by, LongSupplier nanos) {
    PostgresStore store =
        PostgresStore.create(
            new Connections(vertx, by.connectOptions(), options.limits()),
            by.connectOptions(),
            effects,
            nanos);
    stores.add(store);
    StoreCalls.eventually(store::listening);
    return store;
  }

  /** Calls all at once, within one task of one event loop, and waits for what they say. */
  public <T> List<T> atOnce(List<Supplier<Future<T>>> calls) {
    return await(started(calls).compose(running -> Future.all(running)).map(it -> it.<T>list()));
  }

  /** Calls all at once, within one task of one event loop. */
  public <T> Future<List<Future<T>>> started(List<Supplier<Future<T>>> calls) {
    Promise<List<Future<T>>> promise = Promise.promise();
    loop.runOnContext(
        ignored -> {
          List<Future<T>> running = new ArrayList<>();
          calls.forEach(call -> running.add(call.get()));
          promise.complete(running);
        });
    return promise.future();
  }

  @Override
  public void close() {
    stores.forEach(it -> await(it.close()));
    receipts.forEach(it -> await(it.close()));
    await(vertx.close());
  }
}
