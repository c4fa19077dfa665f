package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.InFlight;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A call that has a statement for itself, with another transaction in its way. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class SingleCallTest {

  private static final String WAITING_FOR_A_ROW =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";

  private static PostgresNodes nodes;
  private static PostgresStore store;
  private static StoreCalls calls;

  @BeforeAll
  static void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    store = nodes.open(PostgresNodes.patient().setLockTimeoutMillis(10_000));
    calls = new StoreCalls(store);
  }

  @AfterAll
  static void close() {
    nodes.close();
  }

  private static Future<CompleteResult> completing(Attempt attempt, String counter) {
    return store.complete(
        attempt.claim(), StoreCalls.CREATED, List.of(nodes.effects.counts(counter)));
  }

  private static void change(Connection elsewhere, Attempt attempt, String change)
      throws SQLException {
    elsewhere.setAutoCommit(false);
    elsewhere
        .createStatement()
        .execute(
            "UPDATE latchkey_key SET " + change + " WHERE key = '" + attempt.key().key() + "'");
  }

  private static void awaitBlocked() {
    Await.until(
        "a statement waits for a row", () -> !nodes.database.value(WAITING_FOR_A_ROW).equals("0"));
  }

  @Test
  void claimDoesNotWaitForAChangeOfTheKey() throws SQLException {
    Attempt held = Attempt.atNewKey();
    calls.claimed(held);
    try (Connection elsewhere = nodes.database.jdbc()) {
      change(elsewhere, held, "awaited = true");

      ClaimResult result = calls.claim(held.retried());

      assertThat(result).isInstanceOf(InFlight.class);
      assertThat(nodes.database.value(WAITING_FOR_A_ROW)).isEqualTo("0");
      elsewhere.rollback();
    }
  }

  @Test
  void completionSucceedsAfterAConcurrentRenewal() throws SQLException {
    String renewal = "lease_until_millis = lease_until_millis + 1";

    assertThat(completedDuring(renewal, "renewed")).isInstanceOf(Completed.class);
    assertThat(nodes.effects.counted("renewed")).isEqualTo(1);
  }

  @Test
  void completionIsLostAfterAConcurrentTakeover() throws SQLException {
    String takeover = "token = decode(repeat('07', 16), 'hex'), attempt = 2";

    assertThat(completedDuring(takeover, "taken")).isInstanceOf(LostLease.class);
    assertThat(nodes.effects.counted("taken")).isZero();
  }

  /** Completes a claim whose row somebody else is changing: the change commits first. */
  private static CompleteResult completedDuring(String change, String counter) throws SQLException {
    Attempt held = Attempt.atNewKey();
    calls.claimed(held);
    Future<CompleteResult> running;
    try (Connection elsewhere = nodes.database.jdbc()) {
      change(elsewhere, held, change);
      running = completing(held, counter);
      awaitBlocked();
      elsewhere.commit();
    }
    return await(running);
  }
}
