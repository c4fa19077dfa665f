package dev.latchkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryBudget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application that lets known retries pass by its validation. */
class EarlyReplayTest {

  private static final String JSON = "application/json";

  private final Vertx vertx = TestVertx.create();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
  private final AtomicInteger validated = new AtomicInteger();
  private final AtomicInteger runs = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() {
    IdempotencyNode node =
        IdempotencyNode.create(
            vertx,
            MemoryStore.create(MemoryBudget.ofHeap(), EffectTarget.NONE),
            new NodeOptions(),
            new IdempotencyListener() {
              @Override
              public void answered(Outcome outcome) {
                outcomes.add(outcome);
              }
            });
    IdempotencyHandler idempotency =
        IdempotencyHandler.create(
            node, new IdempotencyOptions().setScope(ctx -> ctx.request().getHeader("X-Tenant")));
    // Vert.x Web wants body handlers first; here the key comes first.
    BodyHandler body = BodyHandler.create(false);
    Router router = Router.router(vertx);
    router
        .post("/orders/:id")
        .handler(idempotency.keyCheck())
        .handler(ctx -> body.handle(ctx))
        .handler(idempotency.earlyReplay())
        .handler(this::validate)
        .handler(idempotency)
        .handler(this::run);
    server = vertx.createHttpServer().requestHandler(node.capture(router));
    LayerFixture.await(server.listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() {
    LayerFixture.await(vertx.close());
  }

  private void validate(RoutingContext ctx) {
    validated.incrementAndGet();
    String type = ctx.request().getHeader("Content-Type");
    String body = ctx.body().asString();
    if (!type.startsWith(JSON) || body == null || body.contains("wrong")) {
      ctx.response().setStatusCode(400).end("refused");
    } else {
      ctx.next();
    }
  }

  private void run(RoutingContext ctx) {
    ctx.response()
        .setStatusCode(201)
        .putHeader("Location", "/orders/" + runs.incrementAndGet())
        .putHeader("X-Twice", (Iterable<String>) List.of("a", "b"))
        .end("order of " + ctx.body().asString());
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void aKnownRetryIsAnsweredAsBeforeAndValidatedNoMore(Version version) throws Exception {
    HttpRequest order = order("k", "{\"a\":1}").version(version).header("Prefer", "wait=5").build();
    HttpResponse<String> first = send(order);
    HttpResponse<String> second = send(order);
    assertThat(validated).hasValue(2);

    HttpResponse<String> third = send(order);

    assertThat(validated).hasValue(2);
    assertThat(first.body()).isEqualTo("order of {\"a\":1}");
    assertThat(third.statusCode()).isEqualTo(201);
    assertThat(third.body()).isEqualTo(first.body());
    assertThat(headers(third)).isEqualTo(headers(second));
    assertThat(headers(third))
        .containsEntry("idempotent-replayed", List.of("true"))
        .containsEntry("preference-applied", List.of("wait=5"))
        .containsEntry("idempotency-key", List.of("\"k\""))
        .containsEntry("x-twice", List.of("a", "b"))
        .containsKey("idempotency-expires");
    assertThat(outcomes).containsExactly(Outcome.EXECUTED, Outcome.REPLAYED, Outcome.REPLAYED);
    assertThat(runs).hasValue(1);
  }

  @Test
  void whatDiffersInAnyByteTakesTheLongWay() throws Exception {
    known("k", "{\"a\":1}");

    assertThat(send(order("k", "{ \"a\": 1 }").build()).statusCode()).isEqualTo(201);
    assertThat(validated).as("white space").hasValue(3);
    assertThat(send(order("k", "{\"a\":2}").build()).statusCode()).isEqualTo(422);
    assertThat(validated).as("another value").hasValue(4);
    assertThat(send(order("k", "wrong").build()).statusCode()).isEqualTo(400);
    assertThat(validated).as("what the application refuses").hasValue(5);
    assertThat(send(typed("k", "text/plain").build()).statusCode()).isEqualTo(400);
    assertThat(send(typed("k", JSON + ";charset=utf-8").build()).statusCode()).isEqualTo(201);
    assertThat(validated).as("media type").hasValue(7);
    HttpRequest coded = order("k", "{\"a\":1}").header("Content-Encoding", "x").build();
    assertThat(send(coded).statusCode()).isEqualTo(201);
    assertThat(validated).as("coding").hasValue(8);
    HttpRequest twice = order("k", "{\"a\":1}").header("Content-Type", "text/html").build();
    assertThat(send(twice).statusCode()).isEqualTo(201);
    assertThat(validated).as("a second media type").hasValue(9);
    assertThat(send(order("k", "{\"a\":1}").build()).statusCode()).isEqualTo(201);
    assertThat(validated).as("and the known one is still known").hasValue(9);
    assertThat(runs).hasValue(1);
  }

  @Test
  void anotherTargetTakesTheLongWay() throws Exception {
    known("k", "{}");

    HttpRequest other = order("k", "{}").uri(uri("/orders/8")).build();
    assertThat(send(other).statusCode()).isEqualTo(422);
    HttpRequest asked = order("k", "{}").uri(uri("/orders/7?x=1")).build();
    assertThat(send(asked).statusCode()).isEqualTo(422);
    HttpRequest written = order("k", "{}").uri(uri("/orders/%37")).build();
    assertThat(send(written).statusCode()).as("the same path").isEqualTo(201);
    assertThat(validated).hasValue(5);
  }

  @Test
  void aTenantSeesNothingOfAnothers() throws Exception {
    known("k", "{}");

    HttpRequest other = order("k", "{}").setHeader("X-Tenant", "other").build();

    assertThat(headers(send(other))).doesNotContainKey("idempotent-replayed");
    assertThat(runs).hasValue(2);
  }

  @Test
  void aBodyThatIsTooLongToCompareIsValidatedEachTime() throws Exception {
    String body = "\"" + "x".repeat(5_000) + "\"";
    for (int i = 1; i <= 4; i++) {
      assertThat(send(order("k", body).build()).statusCode()).isEqualTo(201);
      assertThat(validated).hasValue(i);
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void aKeyThatIsWrongIsRefusedAsBefore() throws Exception {
    known("k", "{}");

    HttpRequest wrong = order("k,k", "{}").build();

    assertThat(send(wrong).statusCode()).isEqualTo(400);
    // It is counted when the answer has left, which the client may see before that.
    LayerFixture.until(() -> outcomes.size() >= 4);
    assertThat(outcomes).endsWith(Outcome.REJECTED).hasSize(4);
  }

  /** Sends a request until it need not be validated any more: twice. */
  private void known(String key, String body) throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(send(order(key, body).build()).statusCode()).isEqualTo(201);
    }
    assertThat(validated).hasValue(2);
  }

  private HttpRequest.Builder order(String key, String body) {
    return request(key, body).header("Content-Type", JSON);
  }

  private HttpRequest.Builder typed(String key, String type) {
    return request(key, "{\"a\":1}").header("Content-Type", type);
  }

  private HttpRequest.Builder request(String key, String body) {
    return HttpRequest.newBuilder(uri("/orders/7"))
        .version(Version.HTTP_1_1)
        .header("Idempotency-Key", key)
        .header("X-Tenant", "acme")
        .POST(BodyPublishers.ofString(body));
  }

  private URI uri(String target) {
    return URI.create("http://127.0.0.1:" + server.actualPort() + target);
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  private static Map<String, List<String>> headers(HttpResponse<?> response) {
    Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
    headers.remove("date");
    return headers;
  }
}
