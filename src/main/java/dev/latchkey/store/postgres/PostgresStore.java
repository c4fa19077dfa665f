package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.postgres.CompleteStatement.Completion;
import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.Limits;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.effect.PostgresEffectKinds;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.PurgeSql;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * An {@link IdempotencyStore} in Postgres, over connections of its own. Concurrent claims share a
 * statement, and so do completions and releases; see {@link
 * dev.latchkey.store.postgres.batch.Batcher}. The schema must exist: {@link PostgresSchema#keys()}.
 *
 * <p>If the server is unavailable, silent or stalled, each statement of a call fails within {@link
 * PostgresStoreOptions#getCallTimeoutMillis}. The store reconnects within about a second of the
 * server's return, and logs one line for the loss and one for the return.
 *
 * <p>Safe for use by any thread. All connections share one event loop of the store's own, on which
 * futures complete.
 */
public final class PostgresStore implements IdempotencyStore {

  private final Limits limits;
  private final PostgresEffectKinds kinds;
  private final Connections connections;
  private final KeyBatches batches;
  private final KeyStatements statements;
  private final Renewals renewals;
  private final KeyTransactions transactions;
  private final Purge purge;
  private final PostgresNotifications notifications;

  private PostgresStore(
      Connections connections,
      PgConnectOptions listen,
      PostgresEffectKinds kinds,
      LongSupplier nanos) {
    this.connections = connections;
    limits = connections.limits();
    this.kinds = kinds;
    TransactionPool pool = new TransactionPool(connections, limits);
    batches = new KeyBatches(connections, pool);
    ReconnectingConnection writes = connections.forStatements(KeyBatches.RESERVED);
    statements = new KeyStatements(connections.forStatements(KeyBatches.RESERVED), writes, limits);
    renewals = new Renewals(writes, limits);
    transactions = new KeyTransactions(pool);
    purge = new Purge(pool, PurgeSql.KEYS);
    notifications = new PostgresNotifications(connections.addListening(listen), nanos);
  }

  /**
   * Creates a store with default options that accepts no effects.
   *
   * @see #create(Vertx, PgConnectOptions, PostgresStoreOptions, EffectKinds)
   */
  public static PostgresStore create(Vertx vertx, PgConnectOptions connect) {
    return create(vertx, connect, new PostgresStoreOptions(), PostgresEffectKinds.NONE);
  }

  /**
   * Creates a store, which begins to listen for notifications. If the server is unavailable, the
   * first call fails, or {@link #probe}.
   *
   * @param vertx runs the connections; closing it closes the store
   * @param connect server and credentials; TLS and further session settings are used, except those
   *     that the store needs to set itself
   * @param options limits in time and number
   * @param kinds the effects that completions may have
   */
  public static PostgresStore create(
      Vertx vertx,
      PgConnectOptions connect,
      PostgresStoreOptions options,
      PostgresEffectKinds kinds) {
    return create(vertx, connect, connect, options, kinds);
  }

  /**
   * As {@link #create(Vertx, PgConnectOptions, PostgresStoreOptions, PostgresEffectKinds)}, with
   * another address for notifications, which a pooler does not pass on.
   *
   * @param listen leads to the same database, without a pooler in between
   */
  public static PostgresStore create(
      Vertx vertx,
      PgConnectOptions connect,
      PgConnectOptions listen,
      PostgresStoreOptions options,
      PostgresEffectKinds kinds) {
    Connections connections = new Connections(vertx, connect, options.limits());
    return create(connections, listen, kinds, System::nanoTime);
  }

  /** For tests: with an injected clock for how long notifications are awaited. */
  static PostgresStore create(
      Connections connections,
      PgConnectOptions listen,
      PostgresEffectKinds kinds,
      LongSupplier nanos) {
    PostgresStore store = new PostgresStore(connections, listen, kinds, nanos);
    store.notifications.channel().open();
    return store;
  }

  /** Succeeds once notifications arrive; for callers that must not miss the first one. */
  public Future<Void> listening() {
    return notifications.subscribed(limits.callTimeoutMillis());
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return KeyParameters.checked("claim", request.claim().key(), () -> batches.claim(request));
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return checked(
        claim,
        effects,
        writes -> {
          if (writes.size() > 1) {
            return transactions.complete(claim, response, writes);
          }
          Buffer encoded = Buffer.buffer(StoredResponseCodec.encode(response));
          return batches.complete(new Completion(claim, encoded, writes.stream().findFirst()));
        });
  }

  private Future<CompleteResult> checked(
      Claim claim,
      List<Effect> effects,
      Function<List<EffectWrite>, Future<CompleteResult>> complete) {
    return KeyParameters.checked(
        "complete",
        claim.key(),
        () ->
            EffectWrite.refusal(kinds, effects)
                .map(refusal -> transactions.refuse(claim, refusal))
                .orElseGet(() -> complete.apply(EffectWrite.all(kinds, effects))));
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return connectionType.isAssignableFrom(SqlConnection.class);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The work gets a {@link SqlConnection} that it can neither close nor commit. It has nine
   * tenths of half the lease; after that, or if it fails, everything rolls back. If its connection
   * breaks, it is executed once more.
   */
  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    if (!runsTransactionsOn(work.connectionType())) {
      return IdempotencyStore.super.complete(claim, work, effects);
    }
    return checked(claim, effects, writes -> transactions.complete(claim, work, writes));
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return KeyParameters.checked("release", claim.key(), () -> batches.release(claim));
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return Failures.converted("renew", renewals.renew(claims));
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return KeyParameters.checked(
        "recordStep", claim.key(), () -> statements.recordStep(claim, name, result));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return KeyParameters.checked(
        "watch", key, () -> notifications.watching(() -> statements.watch(key)));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return KeyParameters.checked("lookup", key, () -> statements.lookup(key));
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return notifications.channel().subscribe(handler)::run;
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return Failures.converted("records", statements.records(tenant, key, limit));
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return Failures.converted("purgeExpired", purge.run(limit));
  }

  @Override
  public Future<Void> probe() {
    return Failures.converted("probe", statements.probe());
  }

  /** Closes the connections; pending calls fail. */
  public Future<Void> close() {
    return batches
        .close()
        .compose(done -> notifications.channel().close())
        .compose(done -> connections.close());
  }
}
