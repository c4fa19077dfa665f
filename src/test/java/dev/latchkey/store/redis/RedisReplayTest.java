package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that look before they ask, since the one before them found its key completed. */
class RedisReplayTest {

  private RedisServer server;
  private Vertx vertx;
  private RedisNode node;
  private Attempt done;
  private Expiry promised;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    vertx = TestVertx.create();
    node = new RedisNode(vertx, server.uri()).ready();
    done = Attempt.atNewKey();
    node.calls().claimed(done);
    promised = node.calls().completed(done);
    replayed();
    assertThat(looks()).isZero();
  }

  @AfterEach
  void stop() {
    node.close();
    vertx.close().await();
    server.close();
  }

  private ClaimResult.Completed replayed() {
    return (ClaimResult.Completed) node.calls().claim(done.retried());
  }

  private long looks() {
    return ((String) server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith("cmdstat_pttl:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("^cmdstat_pttl:calls=([0-9]+),.*", "$1")))
        .sum();
  }

  @Test
  void completedKeyIsAnsweredWithoutAScript() {
    ClaimResult.Completed replay = replayed();

    assertThat(looks()).isEqualTo(1);
    assertThat(replay.response()).isEqualTo(StoreCalls.CREATED);
    assertThat(replay.expiry().atEpochMillis()).isEqualTo(promised.atEpochMillis());
    assertThat(replay.expiry().inMillis()).isPositive().isLessThanOrEqualTo(promised.inMillis());
  }

  @Test
  void newKeyIsClaimedAllTheSame() {
    assertThat(node.calls().claimed(Attempt.atNewKey()).attempt()).isEqualTo(1);
    assertThat(looks()).isEqualTo(1);
    // A key was free: the next claim asks at once.
    node.calls().claimed(Attempt.atNewKey());
    assertThat(looks()).isEqualTo(1);
  }

  @Test
  void otherRequestIsRefused() {
    assertThat(node.calls().claim(done.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);
  }

  @Test
  void runningAndForgottenKeysAreAskedFor() {
    Attempt running = Attempt.atNewKey();
    node.calls().claimed(running);
    replayed();
    assertThat(node.calls().claim(running.retried())).isInstanceOf(ClaimResult.InFlight.class);
    replayed();
    server.command("FLUSHALL");

    assertThat(node.calls().claimed(done.retried()).attempt()).isEqualTo(1);
  }

  @Test
  void keyOfTwoRoutesIsLeftToTheScript() {
    Attempt sibling = Attempt.at(new ScopedKey("tenant", "POST /v1/other", done.key().key()));
    node.calls().claimed(sibling);
    replayed();

    assertThat(replayed().response()).isEqualTo(StoreCalls.CREATED);
    assertThat(node.calls().claim(sibling.retried())).isInstanceOf(ClaimResult.InFlight.class);
  }
}
