package dev.latchkey.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.ExplainProbe;
import dev.latchkey.testing.ExplainedPlan;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every statement of the store goes down its indexes, whether its plan was made when there were a
 * few keys, ten thousand or a million, and a hundred times as many keys cost at most two more
 * buffers for each time an index is gone down.
 */
class StorePlansTest {

  /** Some of the statements end in an error where they find nothing. */
  private static final int FEW = 80;

  private static final int SMALL = 10_000;
  private static final int LARGE = 1_000_000;

  /** Plans that are made on tables of some size, and run on them. */
  private static final Map<Integer, Map<StoreCase, ExplainedPlan>> FRESH = new LinkedHashMap<>();

  /** Plans that are made on nearly empty tables, and run on large ones. */
  private static final Map<StoreCase, ExplainedPlan> AGED = new EnumMap<>(StoreCase.class);

  /** Sessions like those of the store. */
  private record Probes(Map<Session, ExplainProbe> of) implements AutoCloseable {

    static Probes open(Database database) throws SQLException {
      Map<Session, ExplainProbe> probes = new EnumMap<>(Session.class);
      for (Session session : Session.values()) {
        var options = session.options(database.connectOptions(), PostgresStoreOptions.defaults());
        probes.put(session, ExplainProbe.open(database, options.getProperties()));
      }
      return new Probes(probes);
    }

    Map<StoreCase, ExplainedPlan> explainAll(int size) throws SQLException {
      Map<StoreCase, ExplainedPlan> plans = new EnumMap<>(StoreCase.class);
      for (StoreCase one : StoreCase.values()) {
        plans.put(one, of.get(one.session()).explain(one.sql(), one.parameters(size)));
      }
      return plans;
    }

    @Override
    public void close() throws SQLException {
      for (ExplainProbe probe : of.values()) {
        probe.close();
      }
    }
  }

  @BeforeAll
  static void fillAndExplain() throws SQLException {
    Database database = RealServers.freshDatabase();
    Vertx vertx = TestVertx.create();
    StoreCalls.await(PostgresSchema.migrate(vertx, database.connectOptions()));
    StoreCalls.await(vertx.close());
    // Plans and buffers are the same, and filling takes a fraction of the time and of the disk.
    for (String table : new String[] {"latchkey_step", "latchkey_key"}) {
      database.value("ALTER TABLE " + table + " SET UNLOGGED");
    }
    database.value("ALTER TABLE latchkey_key SET (fillfactor = 85)");
    fill(database, 0, FEW);
    try (Probes old = Probes.open(database)) {
      old.explainAll(FEW);
      int filled = FEW;
      for (int size : new int[] {FEW, SMALL, LARGE}) {
        fill(database, filled, size);
        filled = size;
        try (Probes fresh = Probes.open(database)) {
          FRESH.put(size, fresh.explainAll(size));
        }
      }
      AGED.putAll(old.explainAll(LARGE));
    }
    database.value("TRUNCATE latchkey_key CASCADE");
  }

  @ParameterizedTest
  @EnumSource
  void goesDownItsIndexesWhateverTheSize(StoreCase one) {
    FRESH.forEach((size, plans) -> assertIndexes(plans.get(one), one, "on " + size + " keys"));
    assertIndexes(AGED.get(one), one, "made on " + FEW + " and run on " + LARGE);
  }

  @ParameterizedTest
  @EnumSource
  void costsAtMostTwoMoreBuffersForEachDescent(StoreCase one) {
    ExplainedPlan small = FRESH.get(SMALL).get(one);
    for (ExplainedPlan large : new ExplainedPlan[] {FRESH.get(LARGE).get(one), AGED.get(one)}) {
      assertThat(large.buffers())
          .as("small: %s%nlarge: %s", small, large)
          .isLessThanOrEqualTo(small.buffers() + 2 * (large.descents() + one.writtenEntries()));
      assertThat(large.descents()).isLessThanOrEqualTo(small.descents());
    }
  }

  private static void assertIndexes(ExplainedPlan plan, StoreCase one, String when) {
    assertThat(plan.scannedTables()).as("%s, %s", when, plan).isEmpty();
    assertThat(plan.indexes()).as("%s, %s", when, plan).isEqualTo(one.indexes());
  }

  private static void fill(Database database, int from, int to) throws SQLException {
    try (Connection connection = database.jdbc();
        Statement statement = connection.createStatement()) {
      // Steps would be checked against their keys one by one.
      statement.execute("SET session_replication_role = replica");
      statement.execute("SET synchronous_commit = off");
      for (String insert : StoreCase.rows(from, to)) {
        statement.execute(insert);
      }
      statement.execute(to == LARGE ? "ANALYZE" : "VACUUM (ANALYZE)");
    }
  }
}
