package dev.latchkey.store.redis.connection;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisReconnectingConnectionTest {

  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final InterestListener IGNORED =
      new InterestListener() {
        @Override
        public void demoted(RedisAddress server) {}

        @Override
        public void interestLost(RedisAddress server) {}
      };

  private final Promise<Void> down = Promise.promise();
  private RedisServer server;
  private Vertx vertx;
  private ContextInternal context;
  private ReconnectingConnection connection;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    vertx = TestVertx.create();
    context = ((VertxInternal) vertx).createEventLoopContext();
    ReconnectingConnection.Owner owner =
        new ReconnectingConnection.Owner() {
          @Override
          public void failed(ReconnectingConnection from, Call call, String error) {
            throw new AssertionError(error);
          }

          @Override
          public void recovered(ReconnectingConnection which) {}

          @Override
          public void down(ReconnectingConnection which) {
            down.tryComplete();
          }
        };
    RedisAddress address = RedisAddress.of(server.uri());
    connection =
        new ReconnectingConnection(address, context, settings(), new ServerHealth(), owner);
  }

  private ConnectionSettings settings() {
    return new ConnectionSettings(
        new RedisOptions().setConnectionString(server.uri()), new RedisConnectionOptions());
  }

  @AfterEach
  void stop() {
    onLoop(() -> connection.close());
    vertx.close().await();
    server.close();
  }

  private <T> T onLoop(Supplier<Future<T>> work) {
    return await(Future.future(done -> context.runOnContext(v -> work.get().onComplete(done))));
  }

  private static Call call(String command, long deadlineNanos) {
    return Call.of("test", Call.Kind.MAY_WRITE, SlotMap.ANY, deadlineNanos, command.split(" "));
  }

  private Optional<Response> pong() {
    Call call = call("PING", System.nanoTime() + LONG_NANOS);
    return onLoop(
        () -> {
          connection.send(call);
          return call.future();
        });
  }

  private static StoreException failure(Call call) {
    assertThat(call.future().failed()).isTrue();
    return (StoreException) call.future().cause();
  }

  private void onLoopNow(Runnable work) {
    onLoop(
        () -> {
          work.run();
          return Future.succeededFuture();
        });
  }

  @Test
  void overdueCallIsNotSentOnANewConnection() {
    Call late = call("GET key", System.nanoTime());
    onLoopNow(() -> connection.send(late, late.deadlineNanos - 1));
    pong();

    assertThat(failure(late).outcome()).isEqualTo(Outcome.NOT_DONE);
    assertThat((String) server.command("INFO", "commandstats")).doesNotContain("cmdstat_get:");
  }

  @Test
  void overdueCallIsNotSentAgain() {
    SlotMap slots = new SlotMap(List.of(RedisAddress.of(server.uri())));
    LoopConnections loop =
        new LoopConnections(context, settings(), slots, new ServerHealth(), IGNORED);
    String home = "127.0.0.1:" + server.port();
    List<String> errors = List.of("NOSCRIPT x", "MOVED 1 " + home, "ASK 1 " + home);
    for (String error : errors) {
      Call late = call("GET key", System.nanoTime());
      onLoopNow(() -> loop.failed(connection, late, error));

      assertThat(failure(late).outcome()).isEqualTo(Outcome.NOT_DONE);
    }
    onLoop(loop::close);
  }

  @Test
  void serverIsNotConsideredDeadForACallSentAMomentAgo() {
    pong();
    server.pause();
    long nowNanos = System.nanoTime();
    Call waiting = call("PING", nowNanos + LONG_NANOS);
    Call late = call("PING", nowNanos + 1);
    onLoopNow(
        () -> {
          connection.send(waiting, nowNanos - LONG_NANOS);
          connection.send(late, nowNanos);
          connection.failOverdue(nowNanos + 2);
        });

    assertThat(failure(late).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(waiting.future().isComplete()).isFalse();
    onLoopNow(() -> connection.failOverdue(nowNanos + LONG_NANOS / 2));
    assertThat(failure(waiting)).hasMessageContaining("no response within");
    server.resume();
  }

  @Test
  void closedIdleConnectionIsReplacedWithoutAnOutage() {
    try (LogRecorder log = new LogRecorder(RedisConnections.class)) {
      assertThat(pong()).isPresent();

      server.command("CLIENT", "KILL", "TYPE", "normal");
      await(down.future());

      assertThat(pong()).isPresent();
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void callAfterTheConnectionsWereClosedFails() {
    RedisConnections connections =
        RedisConnections.create(vertx, new RedisOptions().setConnectionString(server.uri()));
    Call ping = call("PING", System.nanoTime() + LONG_NANOS);
    await(connections.close());

    Future<Optional<Response>> late = connections.loop(context.nettyEventLoop()).submit(ping);

    assertThatThrownBy(() -> await(late)).hasMessageContaining("closed");
  }
}
