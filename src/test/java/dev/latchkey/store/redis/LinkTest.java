package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

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

/** One connection by itself. */
class LinkTest {

  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Promise<Void> down = Promise.promise();
  private RedisServer server;
  private Vertx vertx;
  private ContextInternal context;
  private Link link;

  @BeforeEach
  void start() {
    server = RealServers.startRedis();
    vertx = TestVertx.create();
    context = ((VertxInternal) vertx).createEventLoopContext();
    RedisSettings settings = RedisSettings.of(new RedisOptions().setConnectionString(server.uri()));
    Link.Owner owner =
        new Link.Owner() {
          @Override
          public void failed(Link from, Call call, String error) {
            throw new AssertionError(error);
          }

          @Override
          public void down(Link which) {
            down.tryComplete();
          }
        };
    RedisAddress address = RedisAddress.of(server.uri());
    link = new Link(address, server.uri(), context, settings, new Outage(), owner);
  }

  @AfterEach
  void stop() {
    onLoop(() -> link.close());
    vertx.close().await();
    server.close();
  }

  private <T> T onLoop(Supplier<Future<T>> work) {
    return await(Future.future(done -> context.runOnContext(v -> work.get().onComplete(done))));
  }

  private static Call call(String command, long deadlineNanos) {
    Object[] words = command.equals("PING") ? new Object[0] : new Object[] {"key"};
    return Call.of("test", Call.Kind.MAY_WRITE, command, words, SlotMap.ANY, deadlineNanos);
  }

  private Optional<Response> answer() {
    Call call = call("PING", System.nanoTime() + LONG_NANOS);
    return onLoop(
        () -> {
          link.send(call);
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
  void callThatIsOverdueWhenThereIsAConnectionIsNotSent() {
    Call late = call("GET", System.nanoTime());
    onLoopNow(() -> link.send(late));
    answer();

    assertThat(failure(late).outcome()).isEqualTo(Outcome.NOT_DONE);
    assertThat((String) server.command("INFO", "commandstats")).doesNotContain("cmdstat_get:");
  }

  @Test
  void callThatIsOverdueWhenItWouldBeSentAgainIsNotSent() {
    RedisSettings settings = RedisSettings.of(new RedisOptions().setConnectionString(server.uri()));
    SlotMap slots = new SlotMap(List.of(RedisAddress.of(server.uri())));
    Lane lane = new Lane(context, settings, slots, new Outage());
    String home = "127.0.0.1:" + server.port();
    List<String> errors = List.of("NOSCRIPT x", "MOVED 1 " + home, "ASK 1 " + home);
    for (String error : errors) {
      Call late = call("GET", System.nanoTime());
      onLoopNow(() -> lane.failed(link, late, error));

      assertThat(failure(late).outcome()).isEqualTo(Outcome.NOT_DONE);
    }
    onLoop(lane::close);
  }

  @Test
  void serverThatWasAskedAMomentAgoIsNotTakenForDead() {
    answer();
    server.pause();
    long nowNanos = System.nanoTime();
    Call waiting = call("PING", nowNanos + LONG_NANOS);
    Call late = call("PING", nowNanos + 1);
    onLoopNow(
        () -> {
          link.send(waiting);
          link.sendLate(late, nowNanos);
          link.failOverdue(nowNanos + 2);
        });

    assertThat(failure(late).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(waiting.future().isComplete()).isFalse();
    onLoopNow(() -> link.failOverdue(nowNanos + LONG_NANOS / 2));
    assertThat(failure(waiting)).hasMessageContaining("no answer within");
    server.resume();
  }

  @Test
  void serverThatEndsAnIdleConnectionIsNoOutageAndAskedAgainWhenItIsCalled() {
    try (LogRecorder log = new LogRecorder(Outage.class)) {
      assertThat(answer()).isPresent();

      server.command("CLIENT", "KILL", "TYPE", "normal");
      await(down.future());

      assertThat(answer()).isPresent();
      assertThat(log.lines()).isEmpty();
    }
  }
}
