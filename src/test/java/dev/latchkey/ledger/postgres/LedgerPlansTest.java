package dev.latchkey.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.postgres.PostgresStatements;
import dev.latchkey.testing.ExplainProbe;
import dev.latchkey.testing.ExplainedPlan;
import dev.latchkey.testing.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every statement of the ledger goes down its indexes, whether its plan was made when the tables
 * were empty, small or large, and a table a hundred times as large costs at most two more buffers
 * for each time an index is gone down.
 */
class LedgerPlansTest {

  private static final int SMALL = 10_000;
  private static final int LARGE = 1_000_000;

  /** Plans that are made on a table of some size, and run on it. */
  private static final Map<Integer, Map<PlanCase, ExplainedPlan>> FRESH = new LinkedHashMap<>();

  /** A plan that is made on empty tables, and run on large ones. */
  private static final Map<PlanCase, ExplainedPlan> AGED = new LinkedHashMap<>();

  @BeforeAll
  static void fillAndExplain() throws SQLException {
    Database database = LedgerDatabase.fresh();
    // Plans and buffers are the same, and filling takes half as long.
    for (String table : PlanCase.TABLES) {
      database.value("ALTER TABLE " + table + " SET UNLOGGED");
    }
    Map<String, String> settings =
        PostgresStatements.session(database.connectOptions(), PostgresLedger.limits())
            .getProperties();
    try (ExplainProbe old = ExplainProbe.open(database, settings)) {
      explainAll(old, 0);
      int filled = 0;
      for (int size : new int[] {0, SMALL, LARGE}) {
        fill(database, filled, size);
        filled = size;
        try (ExplainProbe fresh = ExplainProbe.open(database, settings)) {
          FRESH.put(size, explainAll(fresh, size));
        }
      }
      AGED.putAll(explainAll(old, LARGE));
    }
  }

  private static Map<PlanCase, ExplainedPlan> explainAll(ExplainProbe probe, int size)
      throws SQLException {
    Map<PlanCase, ExplainedPlan> plans = new LinkedHashMap<>();
    for (PlanCase one : PlanCase.values()) {
      Statement statement = one.statement(size);
      plans.put(one, probe.explain(statement.sql(), statement.parameters()));
    }
    return plans;
  }

  @ParameterizedTest
  @EnumSource
  void goesDownItsIndexesWhateverTheSize(PlanCase one) {
    FRESH.forEach((size, plans) -> assertIndexes(plans.get(one), one, "on " + size + " rows"));
    assertIndexes(AGED.get(one), one, "made on none and run on " + LARGE);
  }

  @ParameterizedTest
  @EnumSource
  void costsAtMostTwoMoreBuffersForEachDescent(PlanCase one) {
    ExplainedPlan small = FRESH.get(SMALL).get(one);
    for (ExplainedPlan large : new ExplainedPlan[] {FRESH.get(LARGE).get(one), AGED.get(one)}) {
      assertThat(large.buffers())
          .as("small: %s%nlarge: %s", small, large)
          .isLessThanOrEqualTo(small.buffers() + 2 * (large.descents() + one.writtenEntries()));
      assertThat(large.descents()).isLessThanOrEqualTo(small.descents());
    }
  }

  private static void assertIndexes(ExplainedPlan plan, PlanCase one, String when) {
    assertThat(plan.scannedTables()).as("%s, %s", when, plan).isEmpty();
    assertThat(plan.indexes()).as("%s, %s", when, plan).isEqualTo(one.indexes());
  }

  /** Rows from one number to another, in all tables; the triggers would add them up one by one. */
  private static void fill(Database database, int from, int to) throws SQLException {
    try (Connection connection = database.jdbc();
        java.sql.Statement statement = connection.createStatement()) {
      statement.execute("SET session_replication_role = replica");
      statement.execute("SET synchronous_commit = off");
      for (String insert : PlanCase.rows(from, to)) {
        statement.execute(insert);
      }
      // A vacuum tells the planner that the tables are empty; where nothing was deleted it does no
      // more than that.
      statement.execute(to == LARGE ? "ANALYZE" : "VACUUM (ANALYZE)");
    }
  }
}
