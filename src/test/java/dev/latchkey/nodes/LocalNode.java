package dev.latchkey.nodes;

import dev.latchkey.ledger.postgres.PostgresEffects;
import dev.latchkey.ledger.postgres.PostgresLedger;
import dev.latchkey.psp.PspGateways;
import dev.latchkey.server.InProcessService;
import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStore;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.net.URI;
import java.util.function.UnaryOperator;

/** A node in this process, with its own connections to a database and to the PSP. */
final class LocalNode implements AutoCloseable {

  private static final long PSP_TIMEOUT_MILLIS = 65_000;

  final GatedPsp psp;
  private final Vertx vertx = TestVertx.create();
  private final PostgresStore store;
  private final InProcessService service;

  /**
   * Starts one that hears notices already.
   *
   * @param by how it reaches its migrated database
   * @param pspUrl the PSP
   * @param args options of {@code serve}
   */
  LocalNode(Database by, URI pspUrl, String... args) {
    PgConnectOptions connect = by.connectOptions();
    store =
        PostgresStore.create(
            vertx, connect, PostgresStoreOptions.defaults(), new PostgresEffects());
    Polling.await(store.listening());
    psp = new GatedPsp(PspGateways.overHttp(vertx, pspUrl, PSP_TIMEOUT_MILLIS));
    PostgresLedger ledger = PostgresLedger.create(vertx, connect);
    service =
        Polling.await(
            InProcessService.start(vertx, store, ledger, psp, UnaryOperator.identity(), args));
  }

  static void migrate(Database database) {
    Vertx vertx = TestVertx.create();
    Polling.await(PostgresSchema.migrate(vertx, database.connectOptions()));
    Polling.await(vertx.close());
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + service.server().port());
  }

  int parked() {
    return service.parts().node().parked();
  }

  /** Whether nothing runs here, nobody waits and nothing is being found out. */
  boolean isIdle() {
    return service.parts().node().running() == 0 && parked() == 0;
  }

  @Override
  public void close() {
    Polling.await(store.close());
    Polling.await(vertx.close());
  }
}
