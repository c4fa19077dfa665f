package dev.latchkey.web;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.latchkey.core.LostOwner;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.ForwardingStore;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ClaimPolicyTest {

  /** Records every claim. */
  private static final class RecordingStore extends ForwardingStore {
    final List<ClaimRequest> claims = new CopyOnWriteArrayList<>();

    RecordingStore() {
      super(MemoryStore.create(MemoryBudget.ofHeap(), EffectTarget.NONE));
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      claims.add(request);
      return super.claim(request);
    }
  }

  @Test
  void handlersOfOneNodeClaimWithTheirOwnOptions() {
    Vertx vertx = TestVertx.create();
    RecordingStore store = new RecordingStore();
    IdempotencyNode node = IdempotencyNode.create(vertx, store);
    IdempotencyOptions defaults =
        new IdempotencyOptions().singleTenant().setKeySource(ctx -> List.of("k"));
    IdempotencyOptions own =
        new IdempotencyOptions(defaults)
            .setLeaseMillis(1_234)
            .setRetentionMillis(56_789)
            .setEffectsInStore(true)
            .setOnLostOwner(LostOwner.REPORT);
    Router router = Router.router(vertx);
    router.route().handler(BodyHandler.create(false));
    router.post("/own").handler(IdempotencyHandler.create(node, own));
    router.post("/defaults").handler(IdempotencyHandler.create(node, defaults));
    router.post().handler(ctx -> ctx.end("done"));
    HttpServer server =
        await(vertx.createHttpServer().requestHandler(node.capture(router)).listen(0, "127.0.0.1"));
    for (String path : List.of("/own", "/defaults")) {
      await(
          vertx
              .createHttpClient()
              .request(HttpMethod.POST, server.actualPort(), "127.0.0.1", path)
              .compose(request -> request.send("{}"))
              .compose(response -> response.end()));
    }
    assertThat(store.claims)
        .extracting(
            it -> it.claim().leaseMillis(),
            ClaimRequest::retentionMillis,
            ClaimRequest::effectsInStore,
            ClaimRequest::mode)
        .containsExactly(
            tuple(1_234L, 56_789L, true, Mode.NO_TAKEOVER),
            tuple(10_000L, 86_400_000L, false, Mode.ARRIVAL));
    await(vertx.close());
  }
}
