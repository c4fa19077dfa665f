package dev.latchkey.web;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.latchkey.core.LostOwner;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers of one node may each claim on terms of their own. */
class HandlerTermsTest {

  private final Vertx vertx = TestVertx.create();
  private final List<ClaimRequest> claims = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    await(vertx.close());
  }

  @Test
  void everyHandlerClaimsOnItsOwnTerms() throws Exception {
    IdempotencyNode node = IdempotencyNode.create(vertx, recording());
    Router router = Router.router(vertx);
    router.route().handler(node.capture());
    router.route().handler(BodyHandler.create(false));
    IdempotencyOptions own =
        new IdempotencyOptions()
            .singleTenant()
            .setLeaseMillis(1_234)
            .setRetentionMillis(56_789)
            .setEffectsInStore(true)
            .setOnLostOwner(LostOwner.REPORT);
    router.post("/own").handler(IdempotencyHandler.create(node, own));
    router
        .post("/usual")
        .handler(IdempotencyHandler.create(node, new IdempotencyOptions().singleTenant()));
    router.post().handler(ctx -> ctx.end("done"));
    HttpServer server = vertx.createHttpServer().requestHandler(router);
    await(server.listen(0, "127.0.0.1"));

    post(server.actualPort(), "/own");
    post(server.actualPort(), "/usual");

    assertThat(claims)
        .extracting(
            it -> it.claim().leaseMillis(),
            ClaimRequest::retentionMillis,
            ClaimRequest::effectsInStore,
            ClaimRequest::mode)
        .containsExactly(
            tuple(1_234L, 56_789L, true, Mode.NO_TAKEOVER),
            tuple(10_000L, 86_400_000L, false, Mode.ARRIVAL));
  }

  private static void post(int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Idempotency-Key", "k")
            .POST(BodyPublishers.noBody())
            .build();
    assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body())
        .isEqualTo("done");
  }

  /** A store that takes note of every claim. */
  private IdempotencyStore recording() {
    IdempotencyStore store = MemoryStore.create(MemoryBudget.ofHeap(), EffectTarget.NONE);
    return (IdempotencyStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {IdempotencyStore.class},
            (self, method, args) -> {
              if (method.getName().equals("claim")) {
                claims.add((ClaimRequest) args[0]);
              }
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }
}
