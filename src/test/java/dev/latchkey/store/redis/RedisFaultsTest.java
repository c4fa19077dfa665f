package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import dev.latchkey.testing.servers.RespConnection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Redis that is unavailable, silent, or rejects calls. */
@Timeout(value = 180, threadMode = ThreadMode.SEPARATE_THREAD)
class RedisFaultsTest {

  private RedisServer server;
  private Vertx vertx;
  private RedisNode node;

  @BeforeEach
  void start() {
    server = RealServers.startRedis(RedisFixture.DURABLE);
    vertx = TestVertx.create();
    node = new RedisNode(vertx, server.uri()).ready();
  }

  @AfterEach
  void stop() {
    node.close();
    vertx.close().await();
    server.close();
  }

  private StoreException failure(Future<?> call) {
    StoreException failure = catchThrowableOfType(StoreException.class, () -> await(call));
    assertThat(failure).as("the call should have failed").isNotNull();
    return failure;
  }

  private StoreException refusedClaim() {
    return failure(node.store.claim(Attempt.atNewKey().request()));
  }

  @Test
  void silentServerLeavesTheOutcomeUnknownAndIsUsedAgainLater() {
    Attempt attempt = Attempt.atNewKey();
    try (RedisNode impatient = RedisNode.impatient(vertx, server.uri()).ready()) {
      RedisStore store = impatient.store;
      server.pause();
      Future<Void> probe = store.probe();
      assertThat(failure(store.claim(attempt.request())).outcome()).isEqualTo(Outcome.UNKNOWN);
      assertThat(failure(probe).outcome()).isEqualTo(Outcome.NOT_DONE);
      // By now there is no connection, and none can be made: it never leaves.
      Future<ClaimResult> another = store.claim(Attempt.atNewKey().request());
      assertThat(failure(another).outcome()).isEqualTo(Outcome.NOT_DONE);

      server.resume();

      assertThat(StoreCalls.eventually(() -> store.claim(attempt.request())))
          .isInstanceOfSatisfying(
              ClaimResult.Claimed.class, claimed -> assertThat(claimed.attempt()).isEqualTo(1));
    }
  }

  @Test
  void killedServerIsLoggedInTwoLinesAndUsedAgainAfterItsRestart() {
    Attempt attempt = Attempt.atNewKey();
    node.calls().claimed(attempt);
    try (LogRecorder log = new LogRecorder(RedisConnections.class)) {
      server.kill9();
      // The first may still have left on the connection that is about to break.
      refusedClaim();
      assertThat(refusedClaim().outcome()).isEqualTo(Outcome.NOT_DONE);
      assertThat(failure(node.store.probe()).outcome()).isEqualTo(Outcome.NOT_DONE);
      assertThat(log.lines())
          .singleElement(as(STRING))
          .startsWith("WARN Redis at ")
          .contains("is lost");

      server.restart();

      StoreCalls.eventually(node.store::ready);
      assertThat(StoreCalls.eventually(() -> node.store.lookup(attempt.key())))
          .isInstanceOf(KeyState.InProgress.class);
      Await.until("two lines are logged", () -> log.lines().size() >= 2);
      List<String> lines = log.lines();
      // A busy machine may lose it once more; the lines alternate.
      for (int i = 0; i < lines.size(); i++) {
        assertThat(lines.get(i)).contains(i % 2 == 0 ? "is lost" : "is back");
      }
    }
  }

  @Test
  void clientCreatedAfterReadyOutlivesTheConnections() {
    try (RedisNode fresh = new RedisNode(vertx, server.uri())) {
      HttpClient made = await(fresh.store.ready().map(v -> vertx.createHttpClient()));
      server.restart();
      StoreCalls.eventually(fresh.store::probe);
      var request = made.request(HttpMethod.GET, server.port(), server.host(), "/");
      assertThat(await(request).connection()).isNotNull();
    }
  }

  @Test
  void callsBeyondTheBoundFailAtOnceAndTheOthersSucceed() {
    try (RedisNode patient = RedisNode.patient(vertx, server.uri()).ready()) {
      server.pause();
      List<Future<ClaimResult>> waiting = new ArrayList<>();
      for (int i = 0; i < RedisNode.MAX_WAITING_CALLS; i++) {
        waiting.add(patient.store.claim(Attempt.atNewKey().request()));
      }

      Future<ClaimResult> oneMore = patient.store.claim(Attempt.atNewKey().request());

      assertThat(oneMore.failed()).isTrue();
      assertThat(failure(oneMore).outcome()).isEqualTo(Outcome.NOT_DONE);
      assertThat(waiting).noneMatch(Future::isComplete);
      server.resume();
      assertThat(waiting)
          .allSatisfy(call -> assertThat(await(call)).isInstanceOf(ClaimResult.Claimed.class));
      patient.calls().claimed(Attempt.atNewKey());
    }
  }

  @Test
  void flushedScriptsAreSentAgain() {
    Attempt attempt = Attempt.atNewKey();
    node.calls().claimed(attempt);
    server.command("SCRIPT", "FLUSH");

    node.calls().completed(attempt);

    assertThat(node.calls().claim(attempt.retried())).isInstanceOf(ClaimResult.Completed.class);
  }

  @ParameterizedTest
  @CsvSource({"maxmemory, OOM", "min-replicas-to-write, NOREPLICAS"})
  void serverThatRejectsWritesIsNotReady(String setting, String refusal) {
    server.command("CONFIG", "SET", setting, "1");
    assertThat(refusedClaim()).hasMessageContaining(refusal);
    assertThat(failure(node.store.probe())).hasMessageContaining(refusal);

    server.command("CONFIG", "SET", setting, "0");

    StoreCalls.eventually(node.store::probe);
    assertThat(server.command("EXISTS", RedisKeys.global("probe", "0"))).hasToString("0");
  }

  @Test
  void replicaRejectsClaimsAndIsNotReady() {
    server.command("REPLICAOF", "127.0.0.1", "1");
    assertThat(refusedClaim().outcome()).isEqualTo(Outcome.NOT_DONE);
    assertThat(failure(node.store.probe())).hasMessageContaining("replica");

    server.command("REPLICAOF", "NO", "ONE");

    StoreCalls.eventually(node.store::probe);
    StoreCalls.eventually(() -> node.store.claim(Attempt.atNewKey().request()));
  }

  @Test
  void replicaIsLoggedOnceAndIsBackOnceItAcceptsWrites() {
    try (LogRecorder log = new LogRecorder(RedisConnections.class)) {
      server.command("REPLICAOF", "127.0.0.1", "1");
      for (int i = 0; i < 20; i++) {
        refusedClaim();
        await(node.store.probe().otherwiseEmpty());
      }
      assertThat(log.lines())
          .hasSize(2)
          .anyMatch(line -> line.contains("READONLY"))
          .anyMatch(line -> line.contains("it became a replica"));

      server.command("REPLICAOF", "NO", "ONE");
      StoreCalls.eventually(() -> node.store.claim(Attempt.atNewKey().request()));

      // The subscription is back as well.
      Await.until("three lines are logged", () -> log.lines().size() >= 3);
      assertThat(log.lines()).hasSize(3).last(as(STRING)).contains("is back");
    }
  }

  @Test
  void callsThatAReplicaRejectsTogetherAreAllNotDone() {
    server.command("REPLICAOF", "127.0.0.1", "1");
    Promise<List<Future<ClaimResult>>> together = Promise.promise();
    // In one turn of an event loop, so that calls and responses travel in one write each.
    vertx
        .getOrCreateContext()
        .runOnContext(
            ignored -> {
              List<Future<ClaimResult>> calls = new ArrayList<>();
              for (int i = 0; i < RedisNode.MAX_WAITING_CALLS / 2; i++) {
                calls.add(node.store.claim(Attempt.atNewKey().request()));
              }
              together.complete(calls);
            });

    assertThat(await(together.future()))
        .allSatisfy(call -> assertThat(failure(call).outcome()).isEqualTo(Outcome.NOT_DONE));
  }

  @Test
  void fullServerRejectsBeforeItWritesAnything() {
    Attempt running = Attempt.atNewKey();
    node.calls().claimed(running);
    Attempt refused = Attempt.atNewKey();
    try (LogRecorder log = new LogRecorder(RedisConnections.class)) {
      server.command("CONFIG", "SET", "maxmemory", "1");

      assertThat(failure(node.store.claim(refused.request())).outcome())
          .isEqualTo(Outcome.NOT_DONE);
      assertThat(
              failure(node.store.complete(running.claim(), StoreCalls.CREATED, List.of()))
                  .outcome())
          .isEqualTo(Outcome.NOT_DONE);
      assertThat(node.calls().lookup(running)).isInstanceOf(KeyState.InProgress.class);
      assertThat(log.lines()).hasSize(1).allMatch(line -> line.contains("OOM"));
    }
    server.command("CONFIG", "SET", "maxmemory", "0");

    assertThat(node.calls().lookup(refused)).isInstanceOf(KeyState.Absent.class);
    node.calls().completed(running);
  }

  @ParameterizedTest
  @CsvSource({
    "CONFIG SET maxmemory 1",
    "CONFIG SET min-replicas-to-write 1",
    "REPLICAOF 127.0.0.1 1"
  })
  void serverThatRejectsWritesStillReplaysCompletedKeys(String command) {
    assertReplaysWithoutWrites(node, () -> server.command(command.split(" ")));
  }

  /** The snapshot cannot be renamed to a name that is too long. */
  @Test
  void serverThatCannotSaveStillReplaysCompletedKeys() {
    List<String> settings = new ArrayList<>(List.of(RedisFixture.DURABLE));
    settings.addAll(List.of("--dbfilename", "x".repeat(300), "--save", "3600 100000"));
    try (RedisServer failing = RealServers.startRedis(settings.toArray(String[]::new));
        RedisNode there = new RedisNode(vertx, failing.uri()).ready()) {
      String error = assertReplaysWithoutWrites(there, () -> failSnapshot(failing));
      assertThat(error).contains("MISCONF");
    }
  }

  private static void failSnapshot(RedisServer server) {
    server.command("BGSAVE");
    Await.until(
        "the snapshot fails",
        () ->
            ((String) server.command("INFO", "persistence"))
                .contains("rdb_last_bgsave_status:err"));
  }

  /** Returns the error of a rejected claim. */
  private String assertReplaysWithoutWrites(RedisNode node, Runnable reject) {
    Attempt done = Attempt.atNewKey();
    Attempt running = Attempt.atNewKey();
    node.calls().claimed(done);
    Expiry expiry = node.calls().completed(done);
    node.calls().claimed(running);
    reject.run();

    for (int i = 0; i < 3; i++) {
      assertThat(node.calls().claim(done.retried()))
          .isInstanceOfSatisfying(
              ClaimResult.Completed.class,
              replay -> {
                assertThat(replay.response()).isEqualTo(StoreCalls.CREATED);
                assertThat(replay.expiry().atEpochMillis()).isEqualTo(expiry.atEpochMillis());
              });
    }
    assertThat(node.calls().claim(done.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);
    assertThat(failure(node.store.claim(running.retried().request())).outcome())
        .isEqualTo(Outcome.NOT_DONE);
    StoreException refused = failure(node.store.claim(Attempt.atNewKey().request()));
    assertThat(refused.outcome()).isEqualTo(Outcome.NOT_DONE);
    return refused.getMessage();
  }

  @Test
  void busyServerRejectsClaims() throws Exception {
    server.command("CONFIG", "SET", "lua-time-limit", "10");
    Thread endless =
        new Thread(
            () -> {
              try (RespConnection connection = server.connect()) {
                connection.command("EVAL", "while true do end", "0");
              } catch (AssertionError killed) {
                // The script is killed below, which is an error for its sender.
              }
            });
    endless.start();
    Await.until("the server is busy", () -> !isIdle());

    StoreException refused = refusedClaim();

    server.command("SCRIPT", "KILL");
    endless.join();
    assertThat(refused.outcome()).isEqualTo(Outcome.NOT_DONE);
    assertThat(refused).hasMessageContaining("BUSY");
    StoreCalls.eventually(() -> node.store.claim(Attempt.atNewKey().request()));
  }

  private boolean isIdle() {
    try {
      return server.command("PING") != null;
    } catch (AssertionError busy) {
      return false;
    }
  }

  @Test
  void failedConnectionAttemptsLeaveNoResources() {
    server.kill9();
    refusedClaim();
    int before = resources();
    for (int i = 0; i < 5; i++) {
      assertThat(refusedClaim().outcome()).isEqualTo(Outcome.NOT_DONE);
    }

    // The subscription reconnects now and then as well; a leaked resource would stay.
    Await.until("no more resources than before are held", () -> resources() <= before);
  }

  /** The number of resources that the Vert.x instance closes with itself. */
  private int resources() {
    try {
      Field children = CloseFuture.class.getDeclaredField("children");
      children.setAccessible(true);
      Map<?, ?> held = (Map<?, ?>) children.get(((VertxInternal) vertx).closeFuture());
      return held == null ? 0 : held.size();
    } catch (ReflectiveOperationException changed) {
      throw new AssertionError(changed);
    }
  }

  @Test
  void closedStoreFailsAtOnce() {
    node.close();

    assertThat(refusedClaim().outcome()).isEqualTo(Outcome.NOT_DONE);
  }
}
