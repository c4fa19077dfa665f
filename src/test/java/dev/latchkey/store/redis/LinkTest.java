package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreCalls;
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
    return StoreCalls.await(
        Future.future(done -> context.runOnContext(v -> work.get().onComplete(done))));
  }

  private static Call ping(long deadlineNanos) {
    return Call.of("probe", "PING", new Object[0], SlotMap.ANY, deadlineNanos);
  }

  private Optional<Response> answer() {
    Call call = ping(System.nanoTime() + LONG_NANOS);
    return onLoop(
        () -> {
          link.send(call);
          return call.future();
        });
  }

  @Test
  void serverThatEndsAnIdleConnectionIsNoOutageAndAskedAgainWhenItIsCalled() {
    try (LogLines log = new LogLines(Outage.class)) {
      assertThat(answer()).isPresent();

      server.command("CLIENT", "KILL", "TYPE", "normal");
      StoreCalls.await(down.future());

      assertThat(answer()).isPresent();
      assertThat(log.lines()).isEmpty();
    }
  }
}
