package dev.latchkey.service.ops;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadinessTest {

  private final AtomicInteger queries = new AtomicInteger();
  private final AtomicLong nowNanos = new AtomicLong(-5);
  private final DrainState drain = new DrainState();
  private Future<Void> result = Future.succeededFuture();
  private final Readiness readiness =
      new Readiness(List.of(new Readiness.Check("store", this::query)), drain, nowNanos::get);

  private Future<Void> query() {
    queries.incrementAndGet();
    return result;
  }

  private String status() {
    return await(readiness.report()).getString("status");
  }

  @Test
  void storesAreQueriedAtMostTwiceASecond() {
    for (int millis = 0; millis < 10_000; millis++) {
      assertThat(status()).isEqualTo("up");
      nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    }
    assertThat(queries).hasValue(20);
  }

  @Test
  void callersShareAQueryUnderWay() {
    Promise<Void> slow = Promise.promise();
    result = slow.future();
    Future<?> first = readiness.report();
    nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    assertThat(readiness.report()).isSameAs(first);
    assertThat(queries).hasValue(1);
    slow.complete();
  }

  @Test
  void drainIsReportedWithoutAQuery() {
    drain.announce();
    assertThat(await(readiness.report()).encode())
        .isEqualTo(
            "{\"status\":\"draining\",\"checks\":[{\"name\":\"node\",\"status\":\"draining\"}]}");
    assertThat(queries).hasValue(0);
  }
}
