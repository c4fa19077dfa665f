package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to a record between the two commands of a look. */
class ReplayLookTest {

  private static final List<String> LOOK = List.of("PTTL", "GET");
  private static final long SHORT_MILLIS = 2 * Attempt.LONG_LEASE_MILLIS;

  private RedisServer server;
  private SteppingProxy proxy;
  private Vertx vertx;
  private RedisNode looking;
  private RedisNode other;
  private Attempt done;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    proxy = new SteppingProxy(server);
    vertx = TestVertx.create();
    looking = new RedisNode(vertx, proxy.uri()).ready();
    other = new RedisNode(vertx, server.uri()).ready();
    done = Attempt.atNewKey().withRetention(SHORT_MILLIS);
    other.calls().claimed(done);
    other.calls().completed(done);
    assertThat(looking.calls().claim(done.retried())).isInstanceOf(ClaimResult.Completed.class);
  }

  @AfterEach
  void stop() {
    looking.close();
    other.close();
    vertx.close().await();
    proxy.close();
    server.close();
  }

  private void within(Runnable action) {
    proxy.before(2, LOOK, action);
  }

  private void forget() {
    server.command("DEL", RedisKeys.records(done.key().tenant(), done.key().key()));
  }

  /** The same request once more, after its first record is gone: it is kept for longer. */
  private void completeAnew() {
    Attempt again = done.retried().withRetention(Attempt.LONG_RETENTION_MILLIS);
    other.calls().claimed(again);
    other.calls().complete(again, StoreCalls.OTHER);
  }

  @Test
  void recordThatTookThePlaceOfAnotherIsNotKeptLongerThanWasSeen() {
    within(
        () -> {
          forget();
          completeAnew();
        });

    ClaimResult.Completed replay = (ClaimResult.Completed) looking.calls().claim(done.retried());

    assertThat(replay.response()).isEqualTo(StoreCalls.OTHER);
    assertThat(replay.expiry().inMillis()).isPositive().isLessThanOrEqualTo(SHORT_MILLIS);
  }

  @Test
  void recordThatIsGoneMeanwhileIsNotReplayed() {
    within(this::forget);

    assertThat(looking.calls().claimed(done.retried()).attempt()).isEqualTo(1);
  }

  @Test
  void recordThatCameMeanwhileIsLeftToTheScript() {
    forget();
    within(this::completeAnew);

    ClaimResult.Completed replay = (ClaimResult.Completed) looking.calls().claim(done.retried());

    assertThat(replay.response()).isEqualTo(StoreCalls.OTHER);
    assertThat(replay.expiry().inMillis()).isGreaterThan(SHORT_MILLIS);
  }

  @Test
  void runningRecordThatTookThePlaceOfAnotherIsNotReplayed() {
    within(
        () -> {
          forget();
          other.calls().claimed(done.retried());
        });

    assertThat(looking.calls().claim(done.retried())).isInstanceOf(ClaimResult.InFlight.class);
  }

  @Test
  void connectionThatIsCutMeanwhileIsAFailureAndNoReplay() {
    within(proxy::cut);

    assertThatThrownBy(() -> looking.calls().claim(done.retried()))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE));
    looking.ready();
    assertThat(looking.calls().claim(done.retried())).isInstanceOf(ClaimResult.Completed.class);
  }
}
