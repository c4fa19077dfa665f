package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import dev.latchkey.store.postgres.sql.ClaimSql;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeySql;
import dev.latchkey.store.postgres.sql.PurgeSql;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.pgclient.PgConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The plans that prepared statements keep, by how the store's connections are set up. */
class PlansTest {

  private static final Map<String, String> STATEMENTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("claim", ClaimSql.CLAIM),
              Map.entry("claim one", ClaimSql.FREE),
              Map.entry("take", ClaimSql.TAKE),
              Map.entry("complete", CompleteStatement.MANY.withoutEffects()),
              Map.entry("complete one", CompleteStatement.ONE.withoutEffects()),
              Map.entry("left", CompleteSql.STATES),
              Map.entry("release", CompleteSql.RELEASE),
              Map.entry("lookup", KeySql.LOOKUP),
              Map.entry("watch", KeySql.WATCH),
              Map.entry("records", KeySql.RECORDS),
              Map.entry("renew", KeySql.RENEW),
              Map.entry("step", KeySql.RECORD_STEP),
              Map.entry("purge", PurgeSql.KEYS),
              Map.entry("renew one", KeySql.RENEW_ONE),
              Map.entry("pin", KeySql.LOCK),
              Map.entry("complete pinned", KeySql.COMPLETE_LOCKED),
              Map.entry("find receipts", ReceiptSql.FIND),
              Map.entry("list receipts", ReceiptSql.LIST),
              Map.entry("answer receipt", ReceiptSql.FILL),
              Map.entry("purge receipts", PurgeSql.RECEIPTS)));

  private static PostgresNodes nodes;
  private static PgConnection connection;

  @BeforeAll
  static void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    connection =
        await(
            PgConnection.connect(
                nodes.vertx,
                SessionSettings.STATEMENTS.options(
                    nodes.database.connectOptions(), PostgresNodes.patient().limits())));
  }

  @AfterAll
  static void close() {
    await(connection.close());
    nodes.close();
  }

  private static List<String> plan(String sql) {
    List<String> lines = new ArrayList<>();
    await(connection.query("EXPLAIN (GENERIC_PLAN, COSTS OFF) " + sql).execute())
        .forEach(row -> lines.add(row.getString(0)));
    return lines;
  }

  /** Every scan of a table of ours goes by an index to what it looks for, or straight to a row. */
  private static void assertByIndexAlone(String name, List<String> plan) {
    int scans = 0;
    for (int i = 0; i < plan.size(); i++) {
      String line = plan.get(i);
      if (line.contains("Scan") && line.contains("on latchkey_")) {
        scans++;
        boolean byPlace = line.contains("Tid Scan");
        assertThat(byPlace || line.contains(" using latchkey_")).as("%s: %s", name, plan).isTrue();
        assertThat(plan.get(i + 1))
            .as("%s: %s", name, plan)
            .contains(byPlace ? "TID Cond: (ctid = " : "Index Cond: (");
      }
    }
    assertThat(scans).as("%s: %s", name, plan).isPositive();
    assertThat(plan).as(name).noneMatch(it -> it.contains("Hash") || it.contains("Merge Join"));
  }

  @Test
  void planForAnEmptyTableUsesTheIndex() {
    nodes.database.value(
        "TRUNCATE latchkey_key CASCADE; TRUNCATE latchkey_receipt;"
            + " ANALYZE latchkey_key, latchkey_step, latchkey_receipt");
    STATEMENTS.forEach((name, sql) -> assertByIndexAlone(name, plan(sql)));
    PostgresEffectKind kind = nodes.effects.kindOf(nodes.effects.counts("x")).orElseThrow();
    assertByIndexAlone("with effects", plan(CompleteStatement.MANY.with(kind)));
    assertByIndexAlone("one with its effect", plan(CompleteStatement.ONE.with(kind)));
  }

  @Test
  void planForAFullTableUsesTheIndex() {
    nodes.database.value(
        """
        INSERT INTO latchkey_key SELECT 'plan', 'k' || i, 'r', 1, 2, 2, 1, 0, 0, false, false,
          decode(repeat('00', 32), 'hex'), decode(repeat('00', 16), 'hex'), '', NULL
        FROM generate_series(1, 20000) i;
        INSERT INTO latchkey_receipt SELECT 'plan', 'k' || i, 'r', 1, 2, 2, 1,
          decode(repeat('00', 32), 'hex'), decode(repeat('00', 16), 'hex'), '', ''
        FROM generate_series(1, 20000) i;
        ANALYZE latchkey_key, latchkey_receipt
        """);
    STATEMENTS.forEach((name, sql) -> assertByIndexAlone(name, plan(sql)));
  }
}
