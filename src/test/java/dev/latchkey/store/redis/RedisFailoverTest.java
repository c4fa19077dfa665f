package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An address that leads to another server once the first has become a replica. */
class RedisFailoverTest {

  private RedisServer former;
  private RedisServer promoted;
  private Vertx vertx;
  private AtomicReference<RedisServer> master;
  private RedisNode node;

  @BeforeEach
  void start() {
    former = RealServers.startRedis();
    promoted = RealServers.startRedis();
    master = new AtomicReference<>(former);
    vertx = TestVertx.create();
    NetClient client = vertx.createNetClient();
    NetServer name = vertx.createNetServer().connectHandler(from -> pass(client, from));
    await(name.listen(0, "127.0.0.1"));
    node = new RedisNode(vertx, "redis://127.0.0.1:" + name.actualPort() + "/0").ready();
  }

  private void pass(NetClient client, NetSocket from) {
    from.pause();
    RedisServer to = master.get();
    client
        .connect(to.port(), to.host())
        .onSuccess(
            server -> {
              from.pipeTo(server);
              server.pipeTo(from);
            })
        .onFailure(unreachable -> from.close());
  }

  @AfterEach
  void stop() {
    node.close();
    vertx.close().await();
    former.close();
    promoted.close();
  }

  private Future<Void> failOver() {
    Promise<Void> gap = Promise.promise();
    node.store.subscribe(
        notification -> {
          if (notification instanceof Notification.Gap) {
            gap.tryComplete();
          }
        });
    master.set(promoted);
    former.command("REPLICAOF", "127.0.0.1", "1");
    return gap.future();
  }

  private void assertSubscribed() {
    assertThat(former.command("PUBSUB", "NUMSUB", Scripts.CHANNEL))
        .isEqualTo(List.of(Scripts.CHANNEL, 0L));
    NotificationLog.undisturbed(
        node.store,
        log -> {
          Attempt attempt = Attempt.atNewKey();
          StoreCalls.eventually(() -> node.store.claim(attempt.request()));
          assertThat(node.calls().watch(attempt)).isInstanceOf(KeyState.InProgress.class);
          node.calls().completed(attempt);
          assertThat(log.awaitSettled(attempt.key())).isTrue();
        });
  }

  @Test
  void subscriptionMovesWithARejectedClaim() {
    Future<Void> gap = failOver();

    await(node.store.claim(Attempt.atNewKey().request()).otherwiseEmpty());

    await(gap);
    assertSubscribed();
  }

  @Test
  void subscriptionOfANodeWithoutCallsMovesWithAProbe() {
    Future<Void> gap = failOver();

    await(node.store.probe().otherwiseEmpty());

    await(gap);
    assertSubscribed();
  }
}
