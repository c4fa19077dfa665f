package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.CuttingProxy.Action;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Connections that break under a call while others wait or the call is tried again. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class BrokenConnectionTest {

  private static final int MANY = 8;
  private static final String READ = "SELECT 7";

  /** One statement of a kind at a time, whoever calls. */
  private static final PostgresStoreOptions ONE_LANE =
      PostgresNodes.patient().setApplicationName("broken");

  private PostgresNodes nodes;
  private CuttingProxy proxy;

  @BeforeEach
  void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    proxy = CuttingProxy.before(nodes.database);
  }

  @AfterEach
  void close() {
    nodes.close();
    proxy.close();
  }

  @Test
  void readWhoseConnectionBreaksUsesAnother() {
    PostgresStatements statements =
        PostgresStatements.create(
            nodes.vertx, proxy.through(nodes.database).connectOptions(), PostgresNodes.patient());
    for (Action action : List.of(Action.CUT_BEFORE, Action.CUT_AFTER)) {
      await(statements.read("warm", READ, Tuple.tuple()));
      await(statements.read("warm", READ, Tuple.tuple()));
      proxy.at(it -> it.runs(READ), 1, action);

      var rows = await(statements.read("read", READ, Tuple.tuple()));

      assertThat(rows.iterator().next().getInteger(0)).as("%s", action).isEqualTo(7);
    }
    await(statements.close());
  }

  private List<Future<ClaimResult>> claims(PostgresStore store) {
    List<Supplier<Future<ClaimResult>>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      calls.add(() -> store.claim(Attempt.atNewKey().request()));
    }
    return await(nodes.started(calls));
  }

  private static void assertOnlyTheFirstIsUnknown(List<Future<ClaimResult>> running) {
    assertThatThrownBy(() -> await(running.get(0)))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.UNKNOWN));
    assertThat(running.subList(1, MANY))
        .allSatisfy(it -> assertThat(await(it)).isInstanceOf(Claimed.class));
  }

  private PostgresStore warmStore() {
    PostgresStore store = nodes.open(ONE_LANE, proxy.through(nodes.database));
    new StoreCalls(store).claimed(Attempt.atNewKey());
    return store;
  }

  @Test
  void queuedCallsOfAClosedConnectionUseAnother() {
    PostgresStore store = warmStore();
    proxy.at(BrokenConnectionTest::isClaim, 1, Action.CUT_BEFORE);

    assertOnlyTheFirstIsUnknown(claims(store));
  }

  @Test
  void queuedCallsOfAResetConnectionUseAnother() {
    PostgresStore store = warmStore();
    CompletableFuture<PgMessage> sent =
        proxy.at(BrokenConnectionTest::isClaim, 1, Action.SILENCE_AFTER);
    List<Future<ClaimResult>> running = claims(store);
    sent.join();
    proxy.cutAll();

    assertOnlyTheFirstIsUnknown(running);
  }

  @Test
  void idleConnectionThatTheServerClosesIsNoOutage() throws Exception {
    PostgresStore store = warmStore();
    int before = proxy.connections();
    try (LogRecorder log = new LogRecorder(PostgresStore.class.getPackage())) {
      String closed =
          nodes.database.value(
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                  + " WHERE application_name = 'broken' AND query NOT LIKE 'LISTEN%'");
      assertThat(Integer.parseInt(closed)).isPositive();
      Await.until(
          "the connections are closed",
          () -> proxy.connections() <= before - Integer.parseInt(closed));
      for (EventExecutor loop : ((VertxInternal) nodes.vertx).nettyEventLoopGroup()) {
        // What the socket says comes before the first, and what that makes to be done before the
        // second.
        loop.submit(() -> {}).sync();
        loop.submit(() -> {}).sync();
      }

      new StoreCalls(store).claimed(Attempt.atNewKey());

      assertThat(log.lines()).isEmpty();
    }
  }

  private static boolean isClaim(PgMessage message) {
    return message.runs("INSERT INTO latchkey_key");
  }
}
