package dev.latchkey.store.postgres;

import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The same with stores each of whose claims looks for a completed key first. */
class PostgresLooksContractTest extends StoreContractTest {

  private static final String LOOKING =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = $$"
          + ClaimSql.LOOK
          + "$$";

  private static PostgresContractFixture fixture;

  @BeforeAll
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  static void start() {
    fixture =
        PostgresContractFixture.start(
            nodes -> nodes.openLooking(PostgresNodes.PATIENT, nodes.database));
    List<StoreCalls> both =
        List.of(new StoreCalls(fixture.store()), new StoreCalls(fixture.otherNode()));
    while (!fixture.nodes().database.value(LOOKING).equals("2")) {
      both.forEach(it -> it.claimed(Attempt.atNewKey()));
    }
  }

  @AfterAll
  static void stop() {
    fixture.stop();
  }

  @Override
  protected StoreFixture open() {
    return fixture.emptied();
  }
}
