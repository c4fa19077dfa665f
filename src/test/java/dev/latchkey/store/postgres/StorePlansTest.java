package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.testing.ExplainProbe;
import dev.latchkey.testing.ExplainedPlan;
import dev.latchkey.testing.PlanGrowth;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every statement of the store, on keys and on receipts, goes down its indexes whatever the size of
 * the tables, and costs hardly more on a million rows than on ten thousand.
 */
class StorePlansTest {

  /** Some of the statements end in an error where they find nothing. */
  private static final int FEW = 80;

  private static PlanGrowth<StatementCase> growth;

  /** Sessions like those of the store. */
  private record Probes(Map<SessionSettings, ExplainProbe> of)
      implements PlanGrowth.Sessions<StatementCase> {

    static Probes open(Database database) throws SQLException {
      Map<SessionSettings, ExplainProbe> probes = new EnumMap<>(SessionSettings.class);
      for (SessionSettings session : SessionSettings.values()) {
        var options =
            session.options(database.connectOptions(), new PostgresStoreOptions().limits());
        probes.put(session, ExplainProbe.open(database, options.getProperties()));
      }
      return new Probes(probes);
    }

    @Override
    public ExplainedPlan explain(StatementCase one, int size) throws SQLException {
      return of.get(one.session()).explain(one.sql(), one.parameters().apply(size));
    }

    @Override
    public void close() throws SQLException {
      for (ExplainProbe probe : of.values()) {
        probe.close();
      }
    }
  }

  private record Tables(Database database) implements PlanGrowth.Tables<StatementCase> {

    @Override
    public List<String> names() {
      return List.of("latchkey_step", "latchkey_key", "latchkey_receipt");
    }

    @Override
    public List<String> rows(int from, int to) {
      return Stream.concat(Stream.of(ReceiptCases.rows(from, to)), KeyCases.rows(from, to).stream())
          .toList();
    }

    @Override
    public PlanGrowth.Sessions<StatementCase> open() throws SQLException {
      return Probes.open(database);
    }
  }

  static List<StatementCase> cases() {
    return Stream.of(KeyCases.ALL, ReceiptCases.ALL).flatMap(List::stream).toList();
  }

  @BeforeAll
  static void fillAndExplain() throws SQLException {
    Database database = RealServers.freshDatabase();
    Vertx vertx = TestVertx.create();
    await(PostgresSchema.keys().migrate(vertx, database.connectOptions()));
    await(vertx.close());
    database.value("ALTER TABLE latchkey_key SET (fillfactor = 85)");
    growth = new PlanGrowth<>(database, new Tables(database), cases(), FEW);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void usesItsIndexesWhateverTheSize(StatementCase one) {
    growth.assertGoesDown(one, one.indexes());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void costIsNearlyConstantUpToAMillionRows(StatementCase one) {
    growth.assertCostsLittleMore(one, one.writtenEntries());
  }
}
