package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims of new keys by a plain SET, and what may happen around it. */
class PlainClaimTest {

  private static final List<String> SECOND = List.of("PEXPIRETIME");

  private RedisServer server;
  private SteppingProxy proxy;
  private Vertx vertx;
  private RedisNode node;
  private Attempt first;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    proxy = new SteppingProxy(server);
    vertx = TestVertx.create();
    node = new RedisNode(vertx, proxy.uri()).ready();
    first = Attempt.atNewKey();
  }

  @AfterEach
  void stop() {
    node.close();
    vertx.close().await();
    proxy.close();
    server.close();
  }

  private boolean tellsExpiry() {
    return Integer.parseInt(server.version().split("\\.")[0]) >= 7;
  }

  private String name() {
    return RedisKeys.records(first.key().tenant(), first.key().key());
  }

  private boolean scriptsRan() {
    return ((String) server.command("INFO", "commandstats")).contains("cmdstat_eval");
  }

  @Test
  void newKeyIsClaimedWithoutAScriptWhereTheServerTellsItsExpiry() {
    ClaimResult.Claimed claimed = node.calls().claimed(first);

    assertThat(scriptsRan()).isEqualTo(!tellsExpiry());
    assertThat(claimed.attempt()).isEqualTo(1);
    assertThat(claimed.takenOver()).isFalse();
    assertThat(node.calls().completed(first).atEpochMillis())
        .isEqualTo(claimed.expiry().atEpochMillis());
  }

  @Test
  void knownKeyIsLeftToTheScript() {
    node.calls().claimed(first);

    assertThat(node.calls().claim(first.retried())).isInstanceOf(ClaimResult.InFlight.class);
    assertThat(node.calls().claim(first.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);
  }

  @Test
  void leaseCountsFromTheFirstUse() {
    node.calls().claimed(first);

    KeyState.InProgress seen = (KeyState.InProgress) node.calls().lookup(first);

    assertThat(seen.leaseLeftMillis()).isPositive().isLessThanOrEqualTo(Attempt.LONG_LEASE_MILLIS);
    assertThat(seen.token()).isEqualTo(first.token());
  }

  @Test
  void claimWhoseSecondAnswerIsLostStandsAndIsGrantedAgain() {
    assumeTrue(tellsExpiry());
    proxy.before(1, SECOND, proxy::cut);

    assertThatThrownBy(() -> node.calls().claim(first))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.UNKNOWN));
    node.ready();

    assertThat(node.calls().claim(first.retried())).isInstanceOf(ClaimResult.InFlight.class);
    ClaimResult.Claimed again = node.calls().claimed(first);
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.expiry().atEpochMillis())
        .isEqualTo(((Long) server.command("PEXPIRETIME", name())).longValue());
  }

  @Test
  void secondCommandThatIsRefusedLeavesTheClaimUnknown() {
    assumeTrue(tellsExpiry());
    proxy.before(1, SECOND, () -> server.command("ACL", "SETUSER", "default", "-pexpiretime"));

    assertThatThrownBy(() -> node.calls().claim(first))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.UNKNOWN));
    server.command("ACL", "SETUSER", "default", "+pexpiretime");

    assertThat(node.calls().claimed(first).attempt()).isEqualTo(1);
  }

  @Test
  void serverThatForbidsTheSecondCommandIsAskedByScript() {
    assumeTrue(tellsExpiry());
    server.command("ACL", "SETUSER", "default", "-pexpiretime");
    try (RedisNode other = new RedisNode(vertx, server.uri()).ready()) {
      assertThat(other.calls().claimed(first).attempt()).isEqualTo(1);
      assertThat(scriptsRan()).isTrue();
    }
  }

  @Test
  void keyThatIsLostAtOnceIsClaimedAnew() {
    assumeTrue(tellsExpiry());
    proxy.before(1, SECOND, () -> server.command("DEL", name()));

    assertThat(node.calls().claimed(first).attempt()).isEqualTo(1);
    assertThat(server.command("EXISTS", name())).isEqualTo(1L);
  }
}
