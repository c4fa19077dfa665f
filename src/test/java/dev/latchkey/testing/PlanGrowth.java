package dev.latchkey.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * How statements are run on a few rows, on ten thousand and on a million: by plans that are made on
 * tables of that size, and, on a million, by those that were made on a few. Made once, since the
 * million takes seconds.
 *
 * @param <C> what names a statement
 */
public final class PlanGrowth<C> {

  private static final int SMALL = 10_000;
  private static final int LARGE = 1_000_000;

  /** With so many rows more, a statement is about other rows. */
  private static final int ASIDE = 80;

  private final int few;
  private final Map<C, ExplainedPlan> onFew = new HashMap<>();
  private final Map<C, ExplainedPlan> onSmall = new HashMap<>();
  private final Map<C, ExplainedPlan> onLarge = new HashMap<>();
  private final Map<C, ExplainedPlan> aged = new HashMap<>();

  /** Sessions like those of the code under test. */
  public interface Sessions<C> extends AutoCloseable {

    /** Runs a statement whose parameters suit tables with so many rows. */
    ExplainedPlan explain(C statement, int size) throws SQLException;

    @Override
    void close() throws SQLException;
  }

  /**
   * The tables and how they are used.
   *
   * @param <C> what names a statement
   */
  public interface Tables<C> {

    /** Returns their names; migrated, and without rows. */
    List<String> names();

    /** Returns statements that fill them with rows from one number to another, in any order. */
    List<String> rows(int from, int to);

    /** Opens sessions that have no plans yet. */
    Sessions<C> open() throws SQLException;
  }

  /**
   * Fills the tables and runs every statement.
   *
   * @param database where the tables are; nobody else uses it
   * @param tables the tables
   * @param statements all statements
   * @param few with how many rows to begin
   */
  public PlanGrowth(Database database, Tables<C> tables, Collection<C> statements, int few)
      throws SQLException {
    this.few = few;
    for (String table : tables.names()) {
      // Plans and buffers are the same, and filling takes a fraction of the time and of the disk.
      database.value("ALTER TABLE " + table + " SET UNLOGGED");
      // New statistics would have all plans made anew.
      database.value("ALTER TABLE " + table + " SET (autovacuum_enabled = off)");
    }
    fill(database, tables, 0, few);
    database.value("VACUUM (ANALYZE)");
    try (Sessions<C> old = tables.open()) {
      for (C one : statements) {
        onFew.put(one, old.explain(one, few));
      }
      fill(database, tables, few, SMALL);
      explainFresh(tables, statements, SMALL, onSmall);
      fill(database, tables, SMALL, LARGE);
      explainAll(old, statements, LARGE, aged);
    }
    database.value("ANALYZE");
    explainFresh(tables, statements, LARGE + 2 * ASIDE, onLarge);
    database.value("TRUNCATE " + String.join(", ", tables.names()) + " CASCADE");
  }

  private static <C> void explainFresh(
      Tables<C> tables, Collection<C> statements, int size, Map<C, ExplainedPlan> into)
      throws SQLException {
    try (Sessions<C> fresh = tables.open()) {
      explainAll(fresh, statements, size, into);
    }
  }

  /**
   * Each runs twice, and the second time counts: the first finds where an index begins by now, and
   * clears away what was written before and taken back. So that it leaves nothing in the way of the
   * second, that one is about other rows.
   */
  private static <C> void explainAll(
      Sessions<C> sessions, Collection<C> statements, int size, Map<C, ExplainedPlan> into)
      throws SQLException {
    for (C one : statements) {
      sessions.explain(one, size);
      into.put(one, sessions.explain(one, size + ASIDE));
    }
  }

  /** Fails unless a statement goes down these indexes whatever the size, and passes over none. */
  public void assertGoesDown(C statement, Set<String> indexes) {
    onFew.get(statement).assertGoesDown(indexes, "on " + few);
    onSmall.get(statement).assertGoesDown(indexes, "on " + SMALL);
    onLarge.get(statement).assertGoesDown(indexes, "on " + LARGE);
    aged.get(statement).assertGoesDown(indexes, "made on " + few + " and run on " + LARGE);
  }

  /**
   * Fails unless a hundred times as many rows cost a statement at most two more buffers for each
   * time that it goes down an index, and none of the tables themselves. What is written goes where
   * there is room, which may take a buffer or two more or less for each row.
   *
   * @param statement the statement
   * @param writtenEntries how often it goes down an index to write, or to find out whether it may,
   *     which a plan does not tell
   */
  public void assertCostsLittleMore(C statement, long writtenEntries) {
    ExplainedPlan small = onSmall.get(statement);
    for (ExplainedPlan large : List.of(onLarge.get(statement), aged.get(statement))) {
      String both = "small: %s%nlarge: %s".formatted(small, large);
      assertThat(large.descents()).as(both).isLessThanOrEqualTo(small.descents());
      assertThat(large.buffers())
          .as(both)
          .isLessThanOrEqualTo(small.buffers() + 2 * (large.descents() + writtenEntries));
      assertThat(large.heapBuffers())
          .as(both)
          .isLessThanOrEqualTo(small.heapBuffers() + large.writtenRows() + writtenEntries);
    }
  }

  /** One processor each for the two halves of the work. */
  private static <C> void fill(Database database, Tables<C> tables, int from, int to) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (String sql : tables.rows(from, to)) {
      all.add(CompletableFuture.runAsync(() -> run(database, sql)));
    }
    all.forEach(CompletableFuture::join);
  }

  private static void run(Database database, String sql) {
    try (Connection connection = database.jdbc();
        Statement statement = connection.createStatement()) {
      // References would be checked, and triggers run, row by row.
      statement.execute("SET session_replication_role = replica");
      statement.execute("SET synchronous_commit = off");
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
