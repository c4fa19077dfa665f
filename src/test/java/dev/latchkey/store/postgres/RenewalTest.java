package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Renewals of keys whose rows another transaction holds. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class RenewalTest {

  private static final long PASSED_MILLIS = 1_000;

  private PostgresNodes nodes;
  private Connection elsewhere;
  private final Attempt held = Attempt.atNewKey();
  private final Attempt free = Attempt.atNewKey();
  private final Attempt lost = Attempt.atNewKey();

  @BeforeEach
  void open() throws SQLException {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.holdClock();
    elsewhere = nodes.database.jdbc();
    elsewhere.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    elsewhere.close();
    nodes.close();
  }

  /** Claims all three, loses one, and lets another transaction hold one. */
  private void claimAndHold(PostgresStore by) throws SQLException {
    StoreCalls store = new StoreCalls(by);
    store.claimed(held);
    store.claimed(free);
    store.claimed(lost);
    store.released(lost);
    nodes.advanceMillis(PASSED_MILLIS);
    elsewhere
        .createStatement()
        .execute("UPDATE latchkey_key SET awaited = true WHERE key = '" + held.key().key() + "'");
  }

  private Future<Set<Token>> renewal(PostgresStore by) {
    return by.renew(List.of(held.claim(), free.claim(), lost.claim()));
  }

  private boolean isRenewed(Attempt attempt) {
    return nodes
        .database
        .value(
            "SELECT lease_until_millis = latchkey_now() + "
                + Attempt.LONG_LEASE_MILLIS
                + " FROM latchkey_key WHERE key = '"
                + attempt.key().key()
                + "'")
        .equals("t");
  }

  @Test
  void lockedRowIsRenewedOnceItIsFree() throws SQLException {
    PostgresStore store = nodes.open();
    claimAndHold(store);

    Future<Set<Token>> renewal = renewal(store);
    Await.until("the lease is renewed", () -> isRenewed(free));
    assertThat(isRenewed(held)).isFalse();
    elsewhere.commit();

    assertThat(await(renewal)).containsExactly(lost.token());
    assertThat(isRenewed(held)).isTrue();
  }

  @Test
  void rowThatStaysLockedFailsTheRenewalAndTheOthersAreRenewed() throws SQLException {
    PostgresStore store = nodes.open();
    PostgresStore hasty = nodes.open(new PostgresStoreOptions().setCallTimeoutMillis(6_000));
    // It has a connection by then: whoever has to make one first may have no time left.
    assertThat(StoreCalls.eventually(() -> renewal(hasty))).hasSize(3);
    claimAndHold(store);

    assertThatThrownBy(() -> await(renewal(hasty))).isInstanceOf(StoreException.class);

    assertThat(isRenewed(free)).isTrue();
    assertThat(isRenewed(held)).isFalse();
    elsewhere.rollback();
    assertThat(await(renewal(store))).containsExactly(lost.token());
    assertThat(isRenewed(held)).isTrue();
  }
}
