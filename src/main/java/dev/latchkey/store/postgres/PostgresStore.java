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
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Records in Postgres, over connections of its own. Claims that arrive together travel together,
 * and so do completions and releases; see {@link Batcher}. The schema must be there: {@link
 * PostgresSchema}.
 *
 * <p>A server that is away, silent or stalled fails each statement of a call within {@link
 * PostgresStoreOptions#getCallTimeoutMillis} and is found again without a restart, within about a
 * second of its return; one log line tells of the loss and one of the return.
 *
 * <p>Safe for use by any thread. All connections share one event loop of the store's own, on which
 * futures complete.
 */
public final class PostgresStore implements IdempotencyStore {

  private final Limits limits;
  private final EffectKinds kinds;
  private final Lane lane;
  private final KeyStatements statements;
  private final Renewals renewals;
  private final TransactionPool pool;
  private final Transactions transactions;
  private final NoticeChannel notices;
  private final Links links;

  private PostgresStore(Links links, Limits limits, EffectKinds kinds, LongSupplier nanos) {
    this.links = links;
    this.limits = limits;
    this.kinds = kinds;
    lane = new Lane(links, limits);
    Link writes = links.onOwnLoop(Session.STATEMENTS);
    statements = new KeyStatements(links.onOwnLoop(Session.STATEMENTS), writes, limits);
    renewals = new Renewals(writes, limits);
    pool =
        new TransactionPool(() -> links.onOwnLoop(Session.TRANSACTIONS), links.ownLoop(), limits);
    transactions = new Transactions(pool);
    notices = new NoticeChannel(links.onOwnLoop(Session.STATEMENTS), nanos);
  }

  /**
   * Creates a store with default options that accepts no effects.
   *
   * @see #create(Vertx, PgConnectOptions, PostgresStoreOptions, EffectKinds)
   */
  public static PostgresStore create(Vertx vertx, PgConnectOptions connect) {
    return create(vertx, connect, new PostgresStoreOptions(), EffectKinds.NONE);
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
      Vertx vertx, PgConnectOptions connect, PostgresStoreOptions options, EffectKinds kinds) {
    return create(vertx, connect, options, kinds, System::nanoTime);
  }

  /** For tests: with an injected clock for how long notifications are awaited. */
  static PostgresStore create(
      Vertx vertx,
      PgConnectOptions connect,
      PostgresStoreOptions options,
      EffectKinds kinds,
      LongSupplier nanos) {
    Limits limits = options.limits();
    PostgresStore store =
        new PostgresStore(new Links(vertx, connect, limits), limits, kinds, nanos);
    store.notices.open();
    return store;
  }

  /** Completes once the store hears notices; for whoever must not miss the first one. */
  public Future<Void> listening() {
    return notices.heard(limits.callTimeoutMillis());
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return Keys.checked("claim", request.claim().key(), () -> lane.claim(request));
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return Keys.checked(
        "complete",
        claim.key(),
        () -> {
          Writes writes = Writes.of(kinds, effects);
          if (writes.unknown().isPresent()) {
            return transactions.refuse(claim, writes.unknown().get());
          }
          if (writes.known().size() > 1) {
            return transactions.complete(claim, response, writes.known());
          }
          Buffer encoded = Buffer.buffer(StoredResponseCodec.encode(response));
          Completion completion =
              new Completion(claim, encoded, writes.known().stream().findFirst());
          return lane.complete(completion);
        });
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
    return Keys.checked(
        "complete",
        claim.key(),
        () -> {
          Writes writes = Writes.of(kinds, effects);
          return writes.unknown().isPresent()
              ? transactions.refuse(claim, writes.unknown().get())
              : transactions.complete(claim, work, writes.known());
        });
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return Keys.checked("release", claim.key(), () -> lane.release(claim));
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    for (Claim claim : claims) {
      Optional<? extends Throwable> refusal = Keys.refusal("renew", claim.key());
      if (refusal.isPresent()) {
        return Future.failedFuture(refusal.get());
      }
    }
    return Failures.told("renew", renewals.renew(claims));
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    if (name.isEmpty() || name.length() > MAX_STEP_NAME_CHARS || !Keys.isText(name)) {
      return Future.failedFuture(
          Failures.hopeless(
              "recordStep: the name has "
                  + name.length()
                  + " characters or a NUL, allowed are 1 to "
                  + MAX_STEP_NAME_CHARS
                  + " and none"));
    }
    return Keys.checked(
        "recordStep", claim.key(), () -> statements.recordStep(claim, name, result));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return Keys.checked(
        "watch",
        key,
        () ->
            notices
                .beforeWatch(limits.connectLimitMillis())
                .compose(heard -> statements.watch(key))
                .onSuccess(
                    state -> {
                      if (state instanceof KeyState.InProgress owner) {
                        notices.awaited(owner.leaseLeftMillis());
                      }
                    }));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return Keys.checked("lookup", key, () -> statements.lookup(key));
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return notices.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    if (!Keys.isText(tenant) || !Keys.isText(key)) {
      return Future.succeededFuture(List.of());
    }
    return Failures.told("records", statements.records(tenant, key, limit));
  }

  @Override
  public Future<Integer> purgeExpired(int limit) {
    return Failures.told("purgeExpired", transactions.purge(limit));
  }

  @Override
  public Future<Void> probe() {
    return Failures.told("probe", statements.probe());
  }

  /** Closes the connections; calls under way fail. */
  public Future<Void> close() {
    return lane.close().compose(done -> pool.close()).compose(done -> links.close());
  }
}
