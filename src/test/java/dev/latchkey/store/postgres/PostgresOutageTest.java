package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.CuttingProxy.Action;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.Direction;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A server that is away, killed, stalled or cut off. */
class PostgresOutageTest {

  private static final PostgresStoreOptions IMPATIENT =
      new PostgresStoreOptions().setCallTimeoutMillis(2_000);

  private PostgresServer server;
  private PostgresNodes nodes;

  @BeforeEach
  void open() {
    server = RealServers.startPostgres();
    nodes = new PostgresNodes(server.freshDatabase());
  }

  @AfterEach
  void close() {
    nodes.close();
    server.close();
  }

  private static Outcome failure(Future<?> call) {
    try {
      Object result = await(call);
      throw new AssertionError("succeeded with " + result);
    } catch (StoreException failed) {
      return failed.outcome();
    }
  }

  private static List<Supplier<Future<?>>> everyCall(PostgresStore store, Attempt held) {
    return List.of(
        () -> store.claim(Attempt.atNewKey().request()),
        () -> store.complete(held.claim(), StoreCalls.CREATED, List.of()),
        () -> store.release(held.claim()),
        () -> store.renew(List.of(held.claim())),
        () -> store.recordStep(held.claim(), "step", Buffer.buffer("x")),
        () -> store.watch(held.key()),
        () -> store.lookup(held.key()),
        () -> store.records(held.key().tenant(), held.key().key(), 5),
        () -> store.purgeExpired(10),
        store::probe);
  }

  @Test
  void stalledServerFailsEveryCallInTimeAndRecovers() {
    PostgresStore store = nodes.open(IMPATIENT);
    Attempt held = Attempt.atNewKey();
    StoreCalls.eventually(() -> store.claim(held.request()));
    StoreCalls.eventually(() -> store.lookup(held.key()));
    try (LogRecorder log = new LogRecorder(PostgresStore.class.getPackage())) {
      server.pause();
      List<Future<?>> calls = new ArrayList<>();
      everyCall(store, held).forEach(call -> calls.add(call.get()));
      List<Outcome> outcomes = calls.stream().map(PostgresOutageTest::failure).toList();
      assertThat(outcomes.get(0)).as("a claim that left").isEqualTo(Outcome.UNKNOWN);
      // Connecting hangs as well: it has to be given up, over and over.
      for (int i = 0; i < 3; i++) {
        assertThat(failure(store.claim(Attempt.atNewKey().request())))
            .as("a claim that never left")
            .isEqualTo(Outcome.NOT_DONE);
      }
      assertThat(log.lines()).singleElement(as(STRING)).contains("is lost");

      server.resume();

      assertThat(StoreCalls.eventually(() -> store.claim(held.request())))
          .isInstanceOf(Claimed.class);
      List<String> lines = log.lines();
      assertThat(lines).hasSizeGreaterThan(1);
      // A machine that is busy may lose the server once more: told in turn, however often.
      for (int i = 0; i < lines.size(); i++) {
        assertThat(lines.get(i)).contains(i % 2 == 0 ? "is lost" : "is back");
      }
    }
    everyCall(store, held).forEach(call -> StoreCalls.eventually(call::get));
  }

  @Test
  void killedServerRecoversWithAcknowledgedWrites() {
    PostgresStore store = nodes.open();
    for (int round = 0; round < 3; round++) {
      List<Attempt> attempts = IntStream.range(0, 60).mapToObj(i -> Attempt.atNewKey()).toList();
      String counter = "round " + round;
      List<Future<CompleteResult>> running =
          attempts.stream()
              .map(
                  it ->
                      store
                          .claim(it.request())
                          .compose(
                              claimed ->
                                  store.complete(
                                      it.claim(),
                                      StoreCalls.CREATED,
                                      List.of(nodes.effects.counts(counter)))))
              .toList();
      await(running.get(round * 20));
      server.kill9();
      long acknowledged = running.stream().filter(it -> isCompleted(it)).count();
      server.restart();

      assertThat(acknowledged).isPositive();
      for (int i = 0; i < attempts.size(); i++) {
        Attempt attempt = attempts.get(i);
        boolean told = running.get(i).succeeded();
        KeyState state = StoreCalls.eventually(() -> store.lookup(attempt.key()));
        assertThat(state instanceof KeyState.Completed || !told).as("%s", state).isTrue();
        if (!(state instanceof KeyState.Completed)) {
          assertThat(StoreCalls.eventually(() -> store.claim(attempt.request())))
              .isInstanceOf(Claimed.class);
        }
        assertThat(
                StoreCalls.eventually(
                    () ->
                        store.complete(
                            attempt.claim(),
                            StoreCalls.CREATED,
                            List.of(nodes.effects.counts(counter)))))
            .isInstanceOf(CompleteResult.Completed.class);
      }
      assertThat(nodes.effects.counted(counter)).isEqualTo(attempts.size());
    }
  }

  private static boolean isCompleted(Future<CompleteResult> call) {
    try {
      return await(call) instanceof CompleteResult.Completed;
    } catch (StoreException lost) {
      return false;
    }
  }

  @Test
  void lostResponseIsUnknownAndARepeatedCallResolvesIt() {
    try (CuttingProxy proxy = CuttingProxy.before(server)) {
      PostgresStore store = nodes.open(IMPATIENT, proxy.through(nodes.database));
      Attempt attempt = Attempt.atNewKey();
      StoreCalls.eventually(() -> store.claim(Attempt.atNewKey().request()));
      for (Action action : List.of(Action.CUT_BEFORE, Action.CUT_AFTER, Action.SILENCE_AFTER)) {
        Attempt each = Attempt.atNewKey();
        proxy.at(it -> it.isCommandComplete("INSERT 0 1"), 1, action);
        assertThat(failure(store.claim(each.request()))).isEqualTo(Outcome.UNKNOWN);
        ClaimResult again = StoreCalls.eventually(() -> store.claim(each.request()));
        assertThat(((Claimed) again).attempt()).isEqualTo(1);

        StoreCalls.eventually(() -> store.complete(attempt.claim(), StoreCalls.OTHER, List.of()));
        proxy.at(it -> it.isCommandComplete("SELECT 1"), 1, action);
        var effect = List.of(nodes.effects.counts("lost " + action));
        assertThat(failure(store.complete(each.claim(), StoreCalls.CREATED, effect)))
            .isEqualTo(Outcome.UNKNOWN);
        assertThat(
                StoreCalls.eventually(
                    () -> store.complete(each.claim(), StoreCalls.CREATED, effect)))
            .isInstanceOf(CompleteResult.Completed.class);
        assertThat(nodes.effects.counted("lost " + action)).isEqualTo(1);
      }
    }
  }

  @Test
  void commitWithLostResponseIsResolvedByTheToken() {
    try (CuttingProxy proxy = CuttingProxy.before(server)) {
      PostgresStore store = nodes.open(IMPATIENT, proxy.through(nodes.database));
      for (Action action : Action.values()) {
        for (String step : List.of("BEGIN", "FOR KEY SHARE", "test_counter", "COMMIT")) {
          // The server gives a silent client up after half the lease.
          Attempt each = Attempt.atNewKey().withLease(1_000);
          String name = action + " at " + step;
          var effects = List.of(nodes.effects.applies(name), nodes.effects.counts(name));
          StoreCalls.eventually(() -> store.claim(each.request()));
          proxy.at(it -> it.runs(step), 1, action);

          Future<CompleteResult> first = store.complete(each.claim(), StoreCalls.CREATED, effects);
          assertThatThrownBy(() -> await(first)).as(name).isInstanceOf(StoreException.class);

          assertThat(
                  StoreCalls.eventually(
                      () -> store.complete(each.claim(), StoreCalls.CREATED, effects)))
              .as(name)
              .isInstanceOf(CompleteResult.Completed.class);
          assertThat(nodes.effects.counted(name)).as(name).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void absentServerFailsCallsAtOnceAndIsFoundLater() {
    try (CuttingProxy proxy = CuttingProxy.before(server)) {
      proxy.refuse();
      PostgresStore store =
          PostgresStore.create(
              nodes.vertx,
              proxy.through(nodes.database).connectOptions(),
              IMPATIENT,
              nodes.effects);
      for (int i = 0; i < 20; i++) {
        assertThat(failure(store.claim(Attempt.atNewKey().request()))).isEqualTo(Outcome.NOT_DONE);
      }
      proxy.accept();
      assertThat(StoreCalls.eventually(() -> store.claim(Attempt.atNewKey().request())))
          .isInstanceOf(Claimed.class);
      StoreCalls.eventually(store::listening);
      await(store.close());
      assertThat(failure(store.claim(Attempt.atNewKey().request()))).isEqualTo(Outcome.NOT_DONE);
      assertThat(failure(store.purgeExpired(1))).isEqualTo(Outcome.NOT_DONE);
      Supplier<Future<ClaimResult>> onALoopOfItsOwn =
          () -> store.claim(Attempt.atNewKey().request());
      assertThat(failure(await(nodes.started(List.of(onALoopOfItsOwn))).get(0)))
          .isEqualTo(Outcome.NOT_DONE);
      assertThat(failure(store.probe())).isEqualTo(Outcome.NOT_DONE);
    }
  }

  /** As a standby that is not promoted yet, to which the address of the server leads already. */
  @Test
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void readOnlyServerIsLoggedOnceAndReplaced() {
    PostgresStore store = nodes.open(IMPATIENT);
    PostgresStatements beside =
        PostgresStatements.create(
            nodes.vertx, nodes.database.connectOptions(), PostgresNodes.patient());
    StoreCalls.eventually(() -> store.claim(Attempt.atNewKey().request()));
    Database other = server.maintenanceDatabase();
    String name = nodes.database.value("SELECT current_database()");
    other.value("ALTER DATABASE " + name + " SET default_transaction_read_only = on");
    other.value(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '"
            + name
            + "'");
    Await.until(
        "a write is refused", () -> isRefusedAsWrite(store.claim(Attempt.atNewKey().request())));
    try (LogRecorder log = new LogRecorder(PostgresStore.class.getPackage())) {
      for (int i = 0; i < 30; i++) {
        assertThat(failure(store.claim(Attempt.atNewKey().request()))).isEqualTo(Outcome.NOT_DONE);
      }
      StoreCalls.eventually(() -> store.lookup(Attempt.atNewKey().key()));
      assertThat(isReadOnly(beside) && isReadOnly(beside)).isTrue();
      assertThat(log.lines()).isEmpty();

      other.value("ALTER DATABASE " + name + " RESET default_transaction_read_only");

      assertThat(StoreCalls.eventually(() -> store.claim(Attempt.atNewKey().request())))
          .isInstanceOf(Claimed.class);
      assertThat(log.lines()).singleElement(as(STRING)).contains("is back");
      // Connections that only read were refused nothing, and led to the server as it was.
      StoreCalls.eventually(store::probe);
      Await.until(
          "both connections accept writes", () -> !isReadOnly(beside) && !isReadOnly(beside));
    }
  }

  /** Of one of the two connections that read, in turn. */
  private static boolean isReadOnly(PostgresStatements statements) {
    String sql = "SELECT current_setting('transaction_read_only')::boolean";
    return StoreCalls.eventually(() -> statements.read("test", sql, Tuple.tuple()))
        .iterator()
        .next()
        .getBoolean(0);
  }

  private static boolean isRefusedAsWrite(Future<?> call) {
    try {
      await(call);
      return false;
    } catch (StoreException failed) {
      return String.valueOf(failed.getMessage()).contains("25006");
    }
  }

  @Test
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void abandonedConnectionsAreClosedWhileTheServerIsSilent() {
    try (CuttingProxy proxy = CuttingProxy.before(server)) {
      PostgresStore store = nodes.open(IMPATIENT, proxy.through(nodes.database));
      StoreCalls.eventually(() -> store.claim(Attempt.atNewKey().request()));
      StoreCalls.eventually(() -> store.lookup(Attempt.atNewKey().key()));
      proxy.swallow(Direction.TO_CLIENT);
      for (int given = 0; given < 6; ) {
        given += failure(store.lookup(Attempt.atNewKey().key())) == Outcome.UNKNOWN ? 1 : 0;
        proxy.pass();
        StoreCalls.eventually(() -> store.lookup(Attempt.atNewKey().key()));
        proxy.swallow(Direction.TO_CLIENT);
      }
      proxy.pass();
      // Those for claims, for reads and for notices, and one that may just be given up.
      Await.until("connections are closed", () -> proxy.connections() <= 4);
    }
  }

  @Test
  void callsThatWaitForAConnectionAreBounded() {
    PostgresStore store = nodes.open(PostgresNodes.patient().setMaxQueue(5));
    server.pause();
    List<Supplier<Future<KeyState>>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(() -> store.lookup(Attempt.atNewKey().key()));
    }

    List<Future<KeyState>> running = await(nodes.started(calls));

    assertThat(running.subList(5, 8))
        .allSatisfy(it -> assertThat(failure(it)).isEqualTo(Outcome.NOT_DONE));
    assertThat(running.subList(0, 5)).allSatisfy(it -> assertThat(it.isComplete()).isFalse());
    server.resume();
    assertThat(running.subList(0, 5))
        .allSatisfy(it -> assertThat(await(it)).isInstanceOf(KeyState.Absent.class));
  }

  @Test
  void queueIsBounded() {
    PostgresStore store = nodes.open(PostgresNodes.patient().setMaxQueue(5));
    Supplier<Future<ClaimResult>> first = () -> store.claim(Attempt.atNewKey().request());
    nodes.atOnce(List.of(first));
    server.pause();
    List<Supplier<Future<ClaimResult>>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(() -> store.claim(Attempt.atNewKey().request()));
    }

    List<Future<ClaimResult>> running = await(nodes.started(calls));

    // One is under way, five wait, and the others are told before any of these.
    assertThat(running.subList(6, 8))
        .allSatisfy(it -> assertThat(failure(it)).isEqualTo(Outcome.NOT_DONE));
    assertThat(running.subList(0, 6)).allSatisfy(it -> assertThat(it.isComplete()).isFalse());
    server.resume();
    assertThat(running.subList(0, 6))
        .allSatisfy(it -> assertThat(await(it)).isInstanceOf(Claimed.class));
  }
}
