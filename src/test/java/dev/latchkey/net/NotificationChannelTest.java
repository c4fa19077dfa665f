package dev.latchkey.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class NotificationChannelTest {

  private static final String GAP = "gap";
  private static final long LEASE_MILLIS = 3_600_000;

  private final Vertx vertx = TestVertx.create();
  private final ContextInternal loop = ((VertxInternal) vertx).createEventLoopContext();
  private final FakeSource source = new FakeSource();
  private final AtomicLong nanos = new AtomicLong();
  private final NotificationChannel<String> channel =
      new NotificationChannel<>(loop, source, GAP, nanos::get);
  private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

  /** Fails a given number of times. */
  private static final class FakeSource implements NotificationSource {

    private final AtomicInteger failuresLeft = new AtomicInteger();
    private final AtomicInteger subscriptions = new AtomicInteger();
    private final AtomicInteger probes = new AtomicInteger();
    private final LinkedBlockingQueue<String> drops = new LinkedBlockingQueue<>();
    private volatile boolean silent;

    @Override
    public Future<Void> subscribe() {
      if (failuresLeft.getAndDecrement() > 0) {
        return Future.failedFuture("refused");
      }
      subscriptions.incrementAndGet();
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> probe() {
      probes.incrementAndGet();
      return silent ? Promise.<Void>promise().future() : Future.succeededFuture();
    }

    @Override
    public void drop(String reason) {
      silent = false;
      drops.add(reason);
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }

  private void open() {
    channel.subscribe(heard::add);
    channel.open();
    assertThat(channel.subscribed(LEASE_MILLIS).await()).isTrue();
  }

  private void onLoop(Runnable action) {
    Contexts.call(
            loop,
            () -> {
              action.run();
              return Future.succeededFuture();
            })
        .await();
  }

  @AfterEach
  void close() {
    channel.close().await();
    vertx.close().await();
  }

  @Test
  void subscribesAgainAfterFailedAttempts() {
    source.failuresLeft.set(3);

    open();

    assertThat(source.subscriptions).hasValue(1);
    assertThat(heard).isEmpty();
  }

  @Test
  void reportsAGapAfterALoss() throws InterruptedException {
    open();

    onLoop(channel::lost);

    assertThat(heard.take()).isEqualTo(GAP);
    assertThat(source.subscriptions).hasValue(2);
  }

  @Test
  void reportsAGapToWaitersThatDidNotWaitForTheSubscription() throws InterruptedException {
    channel.subscribe(heard::add);
    assertThat(channel.subscribed(1).await()).isFalse();

    channel.open();

    assertThat(heard.take()).isEqualTo(GAP);
  }

  @Test
  void dropsAConnectionThatDoesNotRespondToAWaiter() throws InterruptedException {
    open();
    source.silent = true;
    assertThat(source.probes).hasValue(0);

    channel.await(LEASE_MILLIS);

    assertThat(source.drops.take()).contains("no response");
    assertThat(heard.take()).isEqualTo(GAP);
  }

  @Test
  void probesAsLongAsTheLeaseOfTheAwaitedClaim() {
    open();
    channel.await(LEASE_MILLIS);
    Await.until("two probes are sent", () -> source.probes.get() >= 2);

    nanos.set(Long.MAX_VALUE / 2);
    long before = source.probes.get();
    vertx.timer(1_500).await();

    assertThat(source.probes.get() - before).isLessThanOrEqualTo(1);
  }

  @Test
  void failingSubscriberDoesNotKeepNotificationsFromOthers() throws InterruptedException {
    channel.subscribe(
        notification -> {
          throw new IllegalStateException("broken");
        });
    open();

    onLoop(() -> channel.publish("settled"));

    assertThat(heard.take()).isEqualTo("settled");
  }

  @Test
  void removedSubscriberReceivesNothing() {
    LinkedBlockingQueue<String> other = new LinkedBlockingQueue<>();
    Runnable remove = channel.subscribe(other::add);
    open();

    remove.run();
    onLoop(() -> channel.publish("settled"));

    assertThat(other).isEmpty();
    assertThat(heard).containsExactly("settled");
  }
}
