package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.service.http.Tenant;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.RawClient;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpFrontTest {

  private static final int MAX_BODY_BYTES = 100;

  private final Promise<Void> silentProbe = Promise.promise();
  private volatile Future<Void> probe = Future.succeededFuture();

  private final TestService service =
      new TestService(
          ConnectionLimits.DEFAULT,
          HttpFrontTest::api,
          () -> probe,
          "--api-keys",
          "acme:s3cret-with-16-characters,acme:n3w-with-16-characters,globex:0ther-with-16-characters");

  private static void api(Router router) {
    router.get("/v1/whoami").handler(ctx -> ctx.end(Tenant.of(ctx)));
    router
        .post("/v1/things/:id")
        .handler(BodyHandler.create(false).setBodyLimit(MAX_BODY_BYTES))
        .handler(ctx -> ctx.end("done"));
    router.delete("/v1/things/:id").handler(ctx -> ctx.end("gone"));
    router
        .get("/v1/broken")
        .handler(
            ctx -> {
              throw new IllegalStateException("broken on purpose");
            });
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void secretDeterminesTheTenant() throws Exception {
    assertThat(get("/v1/whoami", "Bearer s3cret-with-16-characters").body()).isEqualTo("acme");
    assertThat(get("/v1/whoami", "bearer n3w-with-16-characters").body()).isEqualTo("acme");
    assertThat(get("/v1/whoami", "Bearer 0ther-with-16-characters").body()).isEqualTo("globex");
  }

  @Test
  void rejectsCallersWithoutASecret() throws Exception {
    for (String authorization :
        new String[] {
          "Bearer wrong",
          "Bearer ",
          "Basic s3cret-with-16-characters",
          "s3cret-with-16-characters",
          "Bearer s3cret-with-16-characters,n3w-with-16-characters"
        }) {
      HttpResponse<String> response = get("/v1/whoami", authorization);
      assertProblem(response, 401, "unauthorized");
      assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    }
    assertProblem(send(request("/v1/whoami").build()), 401, "unauthorized");
    assertThat(send(request("/metrics").build()).body())
        .contains("latchkey_auth_failures_total 6.0");
  }

  @Test
  void unknownPathsAreNotFound() throws Exception {
    assertProblem(get("/v1/nothing", "Bearer s3cret-with-16-characters"), 404, "not-found");
    assertProblem(send(request("/nothing").build()), 404, "not-found");
    assertProblem(send(request("/problems/nothing").build()), 404, "not-found");
  }

  @Test
  void unknownMethodsListTheAllowedOnes() throws Exception {
    HttpResponse<String> response =
        send(
            request("/v1/things/7")
                .header("Authorization", "Bearer s3cret-with-16-characters")
                .method("BREW", BodyPublishers.noBody())
                .build());
    assertProblem(response, 405, "method-not-allowed");
    assertThat(response.headers().firstValue("Allow")).hasValue("DELETE, POST");
    HttpResponse<String> health =
        send(request("/health/live").POST(BodyPublishers.noBody()).build());
    assertProblem(health, 405, "method-not-allowed");
    assertThat(health.headers().firstValue("Allow")).hasValue("GET, HEAD");
  }

  @Test
  void bodiesOverTheLimitAreRefused() throws Exception {
    assertThat(post("x".repeat(MAX_BODY_BYTES)).body()).isEqualTo("done");
    assertProblem(post("x".repeat(MAX_BODY_BYTES + 1)), 413, "body-too-large");
  }

  @Test
  void defectIsAnInternalErrorWithoutDetails() throws Exception {
    HttpResponse<String> response = get("/v1/broken", "Bearer s3cret-with-16-characters");
    assertProblem(response, 500, "internal-error");
    assertThat(response.body()).doesNotContain("broken on purpose");
  }

  @Test
  void malformedHeadsAreBadRequests() {
    assertThat(raw("NOT HTTP AT ALL\r\n\r\n"))
        .startsWith("HTTP/1.")
        .contains(" 400 ", "/problems/");
    assertThat(raw("GET /" + "a".repeat(9_000) + " HTTP/1.1\r\n\r\n")).contains(" 414 ");
    assertThat(raw("GET / HTTP/1.1\r\nX-Long: " + "a".repeat(8_200) + "\r\n\r\n"))
        .contains(" 431 ");
  }

  @Test
  void bodyOfUnknownFramingIsRejectedAndClosesTheConnection() {
    assertThat(
            raw(
                "POST /v1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\nContent-Length: 2\r\n\r\n{}"))
        .contains(" 400 ", "/problems/invalid-request");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/whoami", "/v1/things/7", "/nope", "/health/live", "/problems", "/problems/x"})
  void headIsAnsweredOverHttp2AsOverHttp1(String path) {
    String overHttp2 = head(path, HttpVersion.HTTP_2);
    assertThat(overHttp2).isEqualTo(head(path, HttpVersion.HTTP_1_1)).endsWith("]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/whoami", "/health/live", "/health/ready", "/problems"})
  void headHasTheStatusAndLengthOfGet(String path) throws Exception {
    HttpResponse<String> get = get(path, "Bearer s3cret-with-16-characters");
    String length = get.headers().firstValue("Content-Length").orElseThrow();
    for (HttpVersion version : new HttpVersion[] {HttpVersion.HTTP_1_1, HttpVersion.HTTP_2}) {
      assertThat(head(path, version))
          .startsWith(Integer.toString(get.statusCode()))
          .contains("content-length=" + length)
          .endsWith("]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/whoami", "/v1/broken", "/v1/%zz", "/nope", "/metrics", "/problems"})
  void everyResponseHasADate(String path) throws Exception {
    String date = "date=\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT";
    for (HttpVersion version : new HttpVersion[] {HttpVersion.HTTP_1_1, HttpVersion.HTTP_2}) {
      assertThat(head(path, version, false)).containsOnlyOnce("date=").containsPattern(date);
    }
    assertThat(raw("NOT HTTP AT ALL\r\n\r\n").toLowerCase(Locale.ROOT)).contains("\r\ndate: ");
  }

  private String head(String path, HttpVersion version) {
    return head(path, version, true);
  }

  private String head(String path, HttpVersion version, boolean undated) {
    io.vertx.core.http.HttpClient client =
        service.vertx.createHttpClient(
            new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false));
    String told =
        await(
            client
                .request(HttpMethod.HEAD, service.server.port(), "127.0.0.1", path)
                .compose(
                    request ->
                        request
                            .putHeader("Authorization", "Bearer s3cret-with-16-characters")
                            .send())
                .compose(
                    response ->
                        response
                            .body()
                            .map(
                                body ->
                                    response.statusCode()
                                        + headers(response.headers(), undated)
                                        + body)));
    // What nobody holds any more is closed by the collector.
    await(client.close());
    return told;
  }

  private static String headers(MultiMap headers, boolean undated) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(
        (name, value) -> all.merge(name.toLowerCase(Locale.ROOT), value, String::concat));
    if (undated) {
      all.remove("date");
    }
    return all.entrySet().toString();
  }

  @Test
  void readinessFollowsTheProbe() throws Exception {
    assertThat(readiness()).isEqualTo("{\"status\":\"up\",\"checks\":[" + check("up") + "]}");
    probe = Future.failedFuture("the store is away");
    Await.until("down", () -> readiness().contains("\"status\":\"down\",\"checks\":[{"));
    assertThat(new JsonObject(readiness()).getJsonArray("checks").getJsonObject(0).fieldNames())
        .containsExactly("name", "status", "detail");
    assertThat(send(request("/health/ready").build()).statusCode()).isEqualTo(503);
    probe = Future.succeededFuture();
    Await.until("up", () -> readiness().contains(check("up")));
    probe = silentProbe.future();
    Await.until("down again", () -> readiness().contains("\"down\""));
    assertThat(send(request("/health/live").build()).statusCode()).isEqualTo(200);
  }

  private static String check(String status) {
    return "{\"name\":\"store\",\"status\":\"" + status + "\"}";
  }

  private String readiness() {
    try {
      return send(request("/health/ready").build()).body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void responsesAreMeasuredByTemplate() throws Exception {
    get("/v1/whoami", "Bearer s3cret-with-16-characters");
    post("x");
    send(request("/v1/chosen-by-a-client").build());
    send(request("/chosen-by-a-client").method("CHOSEN", BodyPublishers.noBody()).build());
    String metrics = send(request("/metrics").build()).body();
    String count =
        "http_server_requests_seconds_count{method=\"%s\",route=\"%s\",status=\"%d\"} 1\n";
    assertThat(metrics)
        .contains(count.formatted("GET", "/v1/whoami", 200))
        .contains(count.formatted("POST", "/v1/things/{id}", 200))
        .contains(count.formatted("GET", "other", 401))
        .contains(count.formatted("other", "other", 404))
        .doesNotContain("chosen", "CHOSEN");
  }

  @Test
  void exportsEveryMetricFromTheStart() throws Exception {
    HttpResponse<String> response = send(request("/metrics").build());
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    for (String outcome : "rejected executed failed replayed parked conflict reused".split(" ")) {
      assertThat(response.body()).contains("latchkey_requests_total{outcome=\"" + outcome + "\"}");
    }
    String operations =
        "claim complete release renew record_step watch lookup records purge_expired probe";
    for (String operation : operations.split(" ")) {
      for (String result : "ok not_done unknown".split(" ")) {
        assertThat(response.body())
            .contains(
                "latchkey_store_calls_total{operation=\"%s\",result=\"%s\"}"
                    .formatted(operation, result));
      }
      assertThat(response.body())
          .contains("latchkey_store_seconds_count{operation=\"" + operation + "\"}");
    }
    assertThat(response.body())
        .contains("\nlatchkey_running 0", "\nlatchkey_auth_failures_total 0")
        .contains(
            "\nlatchkey_missing_keys_total 0", "\nlatchkey_too_many_total{limit=\"running\"} 0")
        .contains("\nlatchkey_replay_cache_total{result=\"hit\"} 0")
        .contains("latchkey_psp_seconds_count{operation=\"charge\",outcome=\"approved\"} 0")
        .contains("\nhttp_server_requests_seconds_count{method=\"GET\",route=\"/metrics\"")
        .contains("\nlatchkey_event_loop_lag_seconds_count ", "_bucket{le=\"1.0E-4\"}")
        .contains("\njvm_memory_used_bytes{", "\njvm_threads_live_threads ", "\njvm_gc_");
    assertThat(response.body())
        .contains("\nlatchkey_parked 0", "\nlatchkey_takeovers_total 0")
        .contains("\nlatchkey_lost_leases_total 0", "\nlatchkey_discarded_total 0")
        .contains("latchkey_park_seconds_bucket{le=", "latchkey_wake_seconds_bucket{le=");
  }

  private String raw(String head) {
    try (RawClient client = service.connect()) {
      return client.send(head).readToEnd();
    }
  }

  private HttpResponse<String> get(String path, String authorization) throws Exception {
    return send(request(path).header("Authorization", authorization).build());
  }

  private HttpResponse<String> post(String body) throws Exception {
    return send(
        request("/v1/things/7")
            .header("Authorization", "Bearer s3cret-with-16-characters")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.server.port() + path))
        .version(HttpClient.Version.HTTP_1_1);
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private static void assertProblem(HttpResponse<String> response, int status, String name) {
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    JsonObject body = new JsonObject(response.body());
    assertThat(body.getString("type")).isEqualTo("/problems/" + name);
    assertThat(body.getInteger("status")).isEqualTo(status);
    assertThat(body.getString("detail")).isNotBlank();
  }
}
