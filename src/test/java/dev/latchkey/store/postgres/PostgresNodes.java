package dev.latchkey.store.postgres;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/** Stores over one migrated database, each as on a node of its own. Closes what it opened. */
final class PostgresNodes implements AutoCloseable {

  /** Long enough for a machine that is busy with other tests. */
  static final PostgresStoreOptions PATIENT =
      PostgresStoreOptions.defaults().withCallTimeoutMillis(40_000);

  final Database database;
  final EffectsInPostgres effects;
  final Vertx vertx = TestVertx.create();
  private final List<PostgresStore> stores = new ArrayList<>();

  PostgresNodes(Database database) {
    this.database = database;
    StoreCalls.await(PostgresSchema.migrate(vertx, database.connectOptions()));
    effects = new EffectsInPostgres(database);
  }

  PostgresStore open() {
    return open(PATIENT);
  }

  /** Opens a store that hears notices already. */
  PostgresStore open(PostgresStoreOptions options) {
    PostgresStore store = PostgresStore.create(vertx, database.connectOptions(), options, effects);
    stores.add(store);
    StoreCalls.await(store.listening());
    return store;
  }

  @Override
  public void close() {
    stores.forEach(it -> StoreCalls.await(it.close()));
    StoreCalls.await(vertx.close());
  }
}
