package dev.latchkey.payments;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A request goes on when a future is complete, and is answered whatever happens then. */
class ContextCallbackTest {

  private final Vertx vertx = TestVertx.create();
  private final HttpClient client = vertx.createHttpClient();

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private int statusOf(Handler<RoutingContext> handler) throws Exception {
    Router router = Router.router(vertx);
    router.route().handler(handler);
    int port =
        await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1")).actualPort();
    return await(
        client
            .request(HttpMethod.GET, port, "127.0.0.1", "/")
            .compose(request -> request.send())
            .map(HttpClientResponse::statusCode));
  }

  /** The status of a request whose rest throws, when another completes what it waits for. */
  private int statusWhenTheRestThrowsAfter(BiConsumer<RoutingContext, Runnable> completing)
      throws Exception {
    return statusOf(
        ctx -> {
          Promise<String> later = Promise.promise();
          ContextCallback.onSuccess(
              ctx,
              later.future(),
              text -> {
                throw new IllegalStateException("thrown by the test");
              });
          completing.accept(ctx, () -> later.complete("done"));
        });
  }

  @Test
  void exceptionOnTheContextFailsTheRequest() throws Exception {
    assertThat(
            statusWhenTheRestThrowsAfter(
                (ctx, complete) -> ctx.vertx().runOnContext(v -> complete.run())))
        .isEqualTo(500);
  }

  @Test
  void exceptionAfterAnotherThreadFailsTheRequest() throws Exception {
    assertThat(statusWhenTheRestThrowsAfter((ctx, complete) -> new Thread(complete).start()))
        .isEqualTo(500);
  }
}
