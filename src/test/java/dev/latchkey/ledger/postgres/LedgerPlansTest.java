package dev.latchkey.ledger.postgres;

import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.testing.ExplainProbe;
import dev.latchkey.testing.ExplainedPlan;
import dev.latchkey.testing.PlanGrowth;
import dev.latchkey.testing.servers.Database;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every statement of the ledger goes down its indexes, whatever the size of the tables, and costs
 * hardly more on a million rows than on ten thousand.
 */
class LedgerPlansTest {

  private static PlanGrowth<PlanCase> growth;

  private record Probe(ExplainProbe probe) implements PlanGrowth.Sessions<PlanCase> {

    @Override
    public ExplainedPlan explain(PlanCase one, int size) throws SQLException {
      Statement statement = one.statement(size);
      return probe.explain(statement.sql(), statement.parameters());
    }

    @Override
    public void close() throws SQLException {
      probe.close();
    }
  }

  private record Tables(Database database) implements PlanGrowth.Tables<PlanCase> {

    @Override
    public List<String> names() {
      return PlanCase.TABLES;
    }

    @Override
    public List<String> rows(int from, int to) {
      return PlanCase.rows(from, to);
    }

    @Override
    public PlanGrowth.Sessions<PlanCase> open() throws SQLException {
      var session =
          SessionSettings.STATEMENTS.options(
              database.connectOptions(), PostgresLedger.options().limits());
      return new Probe(ExplainProbe.open(database, session.getProperties()));
    }
  }

  @BeforeAll
  static void fillAndExplain() throws SQLException {
    Database database = LedgerDatabase.fresh();
    growth = new PlanGrowth<>(database, new Tables(database), List.of(PlanCase.values()), 0);
  }

  @ParameterizedTest
  @EnumSource
  void usesItsIndexesWhateverTheSize(PlanCase one) {
    growth.assertGoesDown(one, one.indexes());
  }

  @ParameterizedTest
  @EnumSource
  void costIsNearlyConstantUpToAMillionRows(PlanCase one) {
    growth.assertCostsLittleMore(one, one.writtenEntries());
  }
}
