package dev.latchkey.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LanesTest {

  /** Stands for the connections of one event loop. */
  private record Where(EventLoop loop) implements Lanes.OfLoop {
    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }

  private final Vertx vertx = TestVertx.create(new VertxOptions().setEventLoopPoolSize(3));
  private final Links links =
      new Links(vertx, new PgConnectOptions(), PostgresStoreOptions.defaults());
  private final ContextInternal one = ((VertxInternal) vertx).createEventLoopContext();
  private final ContextInternal other = ((VertxInternal) vertx).createEventLoopContext();
  private final List<EventLoop> made = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    StoreCalls.await(vertx.close());
  }

  private static <T> T on(ContextInternal context, Supplier<Future<T>> call) {
    return StoreCalls.await(
        Future.future(told -> context.runOnContext(v -> call.get().onComplete(told))));
  }

  private static Future<EventLoop> laneOf(Lanes<Where> lanes) {
    return lanes.call(lane -> Future.succeededFuture(lane.loop()));
  }

  @Test
  void loopsThatCallForTheFirstTimeTogetherHaveNoMoreLanesThanAllowed() {
    EventLoop own = links.ownLoop().nettyEventLoop();
    List<Lanes<Where>> those = new CopyOnWriteArrayList<>();
    List<EventLoop> meanwhile = new CopyOnWriteArrayList<>();
    Lanes<Where> lanes =
        new Lanes<>(
            links,
            1,
            loop -> {
              made.add(loop.nettyEventLoop());
              if (loop.nettyEventLoop() == one.nettyEventLoop()) {
                meanwhile.add(on(other, () -> laneOf(those.get(0))));
              }
              return new Where(loop.nettyEventLoop());
            },
            0,
            link -> new Where(link.context().nettyEventLoop()));
    those.add(lanes);

    assertThat(on(one, () -> laneOf(lanes))).isSameAs(one.nettyEventLoop());
    assertThat(meanwhile).containsExactly(own);
    assertThat(made).containsExactly(own, one.nettyEventLoop());
  }
}
