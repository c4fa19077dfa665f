package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.postgres.PostgresEffects;
import dev.latchkey.ledger.postgres.PostgresLedger;
import dev.latchkey.ledger.redis.RedisLedger;
import dev.latchkey.ledger.redis.RedisLedgerEffects;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.service.InProcessService;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.hybrid.HybridStore;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStore;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.store.redis.RedisEffectKinds;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.redis.client.RedisOptions;
import java.net.URI;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A node in this process, with its own connections to its store and to the PSP. */
final class LocalNode implements AutoCloseable {

  private static final long PSP_TIMEOUT_MILLIS = 65_000;

  final HeldPspGateway psp;
  private final Vertx vertx = TestVertx.create();
  private final Opened opened;
  private final InProcessService service;

  private record Opened(IdempotencyStore store, Ledger ledger, Supplier<Future<Void>> close) {}

  private LocalNode(URI pspUrl, Function<Vertx, Opened> open, String... args) {
    opened = open.apply(vertx);
    psp =
        new HeldPspGateway(
            PspGateway.overHttp(vertx, pspUrl, PSP_TIMEOUT_MILLIS, PspGateway.MAX_CONNECTIONS));
    service =
        await(
            InProcessService.start(
                vertx, opened.store(), opened.ledger(), psp, UnaryOperator.identity(), args));
  }

  /**
   * Starts a node over Postgres that receives notifications.
   *
   * @param by the address of the migrated database
   * @param pspUrl the PSP
   * @param args options of {@code serve}
   */
  static LocalNode overPostgres(Database by, URI pspUrl, String... args) {
    return overPostgres(by, UnaryOperator.identity(), pspUrl, args);
  }

  /** As {@link #overPostgres(Database, URI, String...)}, with a wrapper around its store. */
  static LocalNode overPostgres(
      Database by, UnaryOperator<IdempotencyStore> wrapper, URI pspUrl, String... args) {
    return new LocalNode(pspUrl, vertx -> postgres(vertx, by, wrapper), args);
  }

  private static Opened postgres(
      Vertx vertx, Database by, UnaryOperator<IdempotencyStore> wrapper) {
    PostgresStore store =
        PostgresStore.create(
            vertx, by.connectOptions(), new PostgresStoreOptions(), new PostgresEffects());
    StoreCalls.eventually(store::listening);
    return new Opened(wrapper.apply(store), ledger(vertx, by), store::close);
  }

  /**
   * Starts a node with claims in Redis and payments in Postgres.
   *
   * @param redis the claims
   * @param by the address of the migrated database
   * @param pspUrl the PSP
   * @param args options of {@code serve}
   */
  static LocalNode hybrid(RedisServer redis, Database by, URI pspUrl, String... args) {
    return new LocalNode(pspUrl, vertx -> hybrid(vertx, redis, by), args);
  }

  private static Opened hybrid(Vertx vertx, RedisServer redis, Database by) {
    RedisOptions options = new RedisOptions().setConnectionString(redis.uri());
    RedisConnections connections = RedisConnections.create(vertx, options);
    RedisStore claims = RedisStore.create(connections, RedisEffectKinds.NONE);
    StoreCalls.eventually(claims::ready);
    PgConnectOptions database = by.connectOptions();
    PostgresReceipts receipts =
        PostgresReceipts.create(vertx, database, new PostgresStoreOptions(), new PostgresEffects());
    return new Opened(
        HybridStore.create(claims, receipts),
        ledger(vertx, by),
        () -> receipts.close().compose(v -> claims.close()).compose(v -> connections.close()));
  }

  private static Ledger ledger(Vertx vertx, Database by) {
    return PostgresLedger.create(vertx, by.connectOptions());
  }

  /** Starts a node with records and payments in Redis. */
  static LocalNode overRedis(RedisServer redis, URI pspUrl, String... args) {
    return new LocalNode(pspUrl, vertx -> redis(vertx, redis), args);
  }

  private static Opened redis(Vertx vertx, RedisServer redis) {
    RedisConnections connections =
        RedisConnections.create(vertx, new RedisOptions().setConnectionString(redis.uri()));
    RedisStore store = RedisStore.create(connections, new RedisLedgerEffects());
    StoreCalls.eventually(store::ready);
    return new Opened(
        store, new RedisLedger(connections), () -> store.close().compose(v -> connections.close()));
  }

  static void migrate(Database database) {
    Vertx vertx = TestVertx.create();
    await(
        PostgresSchema.keys()
            .migrate(vertx, database.connectOptions())
            .compose(keys -> PostgresLedger.schema().migrate(vertx, database.connectOptions())));
    await(vertx.close());
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + service.server().port());
  }

  int parked() {
    return service.parts().node().parked();
  }

  /** Returns whether no attempt runs and no request is parked. */
  boolean isIdle() {
    return service.parts().node().running() == 0 && parked() == 0;
  }

  @Override
  public void close() {
    await(opened.close().get());
    await(vertx.close());
  }
}
