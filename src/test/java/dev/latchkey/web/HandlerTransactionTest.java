package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.Await;
import dev.latchkey.web.FakeTransactions.FakeConnection;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses made inside the transaction that stores them. */
@Timeout(60)
class HandlerTransactionTest {

  private record Booking(String name) implements Effect {}

  private final AtomicInteger runs = new AtomicInteger();

  private WebFixture app(Function<FakeConnection, Future<Reply>> work) {
    return new WebFixture(
        new IdempotencyOptions(),
        ctx -> Idempotency.of(ctx).transaction(FakeConnection.class, work));
  }

  private Future<Reply> booked(FakeConnection connection) {
    connection.write("order");
    return Future.succeededFuture(
        Reply.json(201, new JsonObject().put("run", runs.incrementAndGet()))
            .header("Location", "/orders/7")
            .header("Set-Cookie", "seen=1"));
  }

  private static List<String> writes(WebFixture app) {
    return app.committed.stream().map(Object::toString).toList();
  }

  private static void awaitIdle(WebFixture app) {
    Await.until("no attempt is running", () -> app.node.running() == 0);
  }

  @Test
  void writesAndResponseAreStoredOnceAndReplayed() throws Exception {
    try (var app = app(this::booked)) {
      HttpResponse<String> first = app.send(app.keyed("k", "{}"));
      HttpResponse<String> again = app.send(app.keyed("k", "{}"));

      assertThat(first.statusCode()).isEqualTo(201);
      assertThat(first.body()).isEqualTo("{\"run\":1}");
      assertThat(first.headers().firstValue("Set-Cookie")).contains("seen=1");
      assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
      assertThat(again.body()).isEqualTo(first.body());
      assertThat(again.headers().firstValue("Location")).contains("/orders/7");
      assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
      assertThat(writes(app)).containsExactly("order");
      assertThat(app.outcomes).containsExactly(Outcome.EXECUTED, Outcome.REPLAYED);
    }
  }

  @Test
  void failedWorkWritesNothingAndReleasesTheKey() throws Exception {
    try (var app =
        app(
            connection -> {
              connection.write("half");
              if (runs.get() == 0) {
                runs.incrementAndGet();
                throw new IllegalStateException("no");
              }
              return booked(connection);
            })) {
      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(500);
      assertThat(app.committed).isEmpty();

      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(201);
      assertThat(writes(app)).containsExactly("half,order");
      assertThat(app.outcomes).containsExactly(Outcome.FAILED, Outcome.EXECUTED);
    }
  }

  @Test
  void responseThatIsNotFinalRollsBackTheWrites() throws Exception {
    try (var app =
        app(
            connection ->
                runs.get() == 0
                    ? booked(connection).map(reply -> new Reply(503, reply.headers(), reply.body()))
                    : booked(connection))) {
      HttpResponse<String> first = app.send(app.keyed("k", "{}"));
      assertThat(first.statusCode()).isEqualTo(503);
      assertThat(first.body()).isEqualTo("{\"run\":1}");
      assertThat(app.committed).isEmpty();
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":2}");
      assertThat(writes(app)).containsExactly("order");
    }
  }

  @Test
  void commitWithALostResponseIsNotRepeated() throws Exception {
    try (var app = app(this::booked)) {
      app.store.script(StoreOperation.COMPLETE, StoreFault.FAIL_AFTER);
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":1}");
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":1}");
      assertThat(writes(app)).containsExactly("order");
    }
  }

  @Test
  void rolledBackTransactionIsRetried() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    try (var app = app(this::booked)) {
      app.lostBeforeCommit = () -> attempts.getAndIncrement() < 2;
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":3}");
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":3}");
      assertThat(writes(app)).containsExactly("order");
    }
  }

  @Test
  void callerGetsTheCommittedResponse() throws Exception {
    try (var app = app(this::booked)) {
      app.transactions.nextCommitsLate = true;
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":1}");
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":1}");
      assertThat(runs).hasValue(2);
      assertThat(writes(app)).containsExactly("order");
    }
  }

  @Test
  void enlistedEffectsCommitOrFailWithTheTransaction() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency claim = Idempotency.of(ctx);
              claim.enlist(new Booking("b"));
              claim.onRefused(refused -> ctx.response().setStatusCode(409).end(refused.which()));
              claim.transaction(FakeConnection.class, this::booked);
            })) {
      app.refused = Optional.of(new Booking("b"));
      HttpResponse<String> refused = app.send(app.keyed("k", "{}"));
      assertThat(refused.statusCode()).isEqualTo(409);
      assertThat(app.committed).isEmpty();
      app.refused = Optional.empty();
      assertThat(app.send(app.keyed("other", "{}")).statusCode()).isEqualTo(201);
      assertThat(app.committed).hasSize(2).contains(new Booking("b"));
    }
  }

  @Test
  void oversizedResponseIsSentWhole() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions().setMaxResponseBytes(4),
            ctx -> Idempotency.of(ctx).transaction(FakeConnection.class, this::booked))) {
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("{\"run\":1}");
      HttpResponse<String> again = app.send(app.keyed("k", "{}"));
      assertThat(again.statusCode()).isEqualTo(409);
      assertThat(again.headers().firstValue("Location")).contains("/orders/7");
      assertThat(writes(app)).containsExactly("order");
    }
  }

  @Test
  void transactionIsRejectedAfterTheResponseOrOnAnotherConnectionType() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency claim = Idempotency.of(ctx);
              try {
                claim.transaction(String.class, text -> Future.succeededFuture(Reply.of(204)));
              } catch (IllegalStateException refused) {
                ctx.response().setStatusCode(201).end(refused.getMessage());
              }
              try {
                claim.transaction(FakeConnection.class, this::booked);
              } catch (IllegalStateException late) {
                runs.incrementAndGet();
              }
            })) {
      assertThat(app.send(app.keyed("k", "{}")).body()).contains("java.lang.String");
      awaitIdle(app);
      assertThat(runs).hasValue(1);
      assertThat(app.committed).isEmpty();
    }
  }
}
