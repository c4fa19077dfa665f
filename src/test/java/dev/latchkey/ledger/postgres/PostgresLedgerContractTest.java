package dev.latchkey.ledger.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerContractTest;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Effects are applied one by one in a transaction, which tells the one that is refused. */
class PostgresLedgerContractTest extends LedgerContractTest {

  private static final int CONNECTIONS = 10;

  private static Database database;
  private static Vertx vertx;
  private static Pool pool;

  @BeforeAll
  static void connect() {
    database = LedgerDatabase.fresh();
    vertx = TestVertx.create();
    pool = RawPool.create(vertx, database.connectOptions(), CONNECTIONS);
  }

  @AfterAll
  static void disconnect() {
    await(pool.close());
    await(vertx.close());
  }

  @Override
  protected LedgerFixture open() {
    LedgerDatabase.empty(database);
    PostgresLedger ledger = PostgresLedger.create(vertx, database.connectOptions());
    return new LedgerFixture() {
      @Override
      public Ledger ledger() {
        return ledger;
      }

      @Override
      public Optional<EffectRefused> apply(List<Effect> effects) {
        return await(pool.getConnection().compose(it -> applyAll(it, effects)));
      }

      @Override
      public int rounds() {
        return 20;
      }
    };
  }

  @Test
  void sumsMayExceedALong() {
    try (LedgerFixture books = open()) {
      database.value(
          "INSERT INTO ledger_balances VALUES"
              + " ('acme', 'EUR', 0, 9223372036854775807, 1, 1), ('acme', 'EUR', 1, 2, 0, 1)");

      Balance balance = await(books.ledger().balance("acme")).get(0);

      assertThat(balance.captured()).isEqualTo(new BigInteger("9223372036854775809"));
      assertThat(balance.net()).isEqualTo(new BigInteger("9223372036854775808"));
    }
  }

  private static Future<Optional<EffectRefused>> applyAll(
      SqlConnection connection, List<Effect> effects) {
    return connection
        .begin()
        .compose(
            transaction -> {
              Future<Optional<EffectRefused>> sofar = Future.succeededFuture(Optional.empty());
              for (Effect effect : effects) {
                sofar =
                    sofar.compose(
                        refused ->
                            refused.isPresent()
                                ? Future.succeededFuture(refused)
                                : applyOne(connection, effect));
              }
              return sofar.compose(refused -> end(transaction, refused));
            })
        .eventually(connection::close);
  }

  private static Future<Optional<EffectRefused>> end(
      Transaction transaction, Optional<EffectRefused> refused) {
    // A failed statement has rolled the transaction back already.
    return refused.isPresent()
        ? transaction.rollback().transform(any -> Future.succeededFuture(refused))
        : transaction.commit().map(refused);
  }

  private static Future<Optional<EffectRefused>> applyOne(SqlConnection connection, Effect effect) {
    Optional<EffectRefused> refused = Optional.of(new EffectRefused(effect.name(), "not applied"));
    return EffectStatement.of(List.of(effect))
        .run(connection)
        .map(applied -> applied.isEmpty() ? refused : Optional.<EffectRefused>empty())
        .recover(
            failure ->
                failure instanceof PgException error && error.getSqlState().startsWith("23")
                    ? Future.succeededFuture(refused)
                    : Future.failedFuture(failure));
  }
}
