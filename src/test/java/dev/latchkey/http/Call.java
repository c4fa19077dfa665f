package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.List;
import java.util.Map;

/** A request in the making; sent once or many times. Used by one thread. */
final class Call {

  /** A payment that succeeds at once. */
  static final String VISA =
      "{\"amount\":1000,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}";

  static final String KEY = "Idempotency-Key";

  private final Vertx vertx;
  private final HttpClient client;
  private final Sabotage sabotage;
  private final RequestOptions options;
  private final MultiMap headers = MultiMap.caseInsensitiveMultiMap();
  private Buffer body = Buffer.buffer();

  /** A request that was sent. */
  static final class Sent {
    private final Future<HttpClientRequest> request;
    private final Future<Answer> answer;
    private final long patienceMillis;

    private Sent(Future<HttpClientRequest> request, Future<Answer> answer, long patienceMillis) {
      this.request = request;
      this.answer = answer;
      this.patienceMillis = patienceMillis;
    }

    Answer answer() {
      return await(answer, patienceMillis);
    }

    Future<Answer> future() {
      return answer;
    }

    /** The connection on which it was sent. */
    HttpConnection connection() {
      return await(request).connection();
    }

    /** Gives up this one request; over HTTP/2 its connection lives on. */
    void cancel() {
      await(request.map(HttpClientRequest::reset));
    }

    /** Closes the connection without waiting for the answer. */
    void hangUp() {
      await(request.compose(sent -> sent.connection().close()));
    }
  }

  Call(Vertx vertx, HttpClient client, int port, HttpMethod method, String uri, Sabotage sabotage) {
    this.vertx = vertx;
    this.client = client;
    this.sabotage = sabotage;
    options = new RequestOptions().setHost("127.0.0.1").setPort(port).setMethod(method).setURI(uri);
  }

  /** Adds a header line, beside others of that name. */
  Call header(String name, String value) {
    headers.add(name, value);
    return this;
  }

  Call key(String key) {
    headers.set(KEY, key);
    return this;
  }

  Call json(String text) {
    return body("application/json", Buffer.buffer(text));
  }

  Call body(String type, Buffer bytes) {
    headers.set("Content-Type", type);
    body = bytes;
    return this;
  }

  /** A body without a media type. */
  Call untyped(Buffer bytes) {
    headers.remove("Content-Type");
    body = bytes;
    return this;
  }

  /** A payment by another method. */
  Call by(String paymentMethod) {
    return json(VISA.replace("pm_card_visa", paymentMethod));
  }

  /** A payment of another amount. */
  Call of(long amount) {
    return json(VISA.replace("1000", Long.toString(amount)));
  }

  Answer send() {
    return begin().answer();
  }

  /** Sends it and does not wait for the answer. */
  Sent begin() {
    Buffer bytes = body;
    Promise<HttpClientRequest> request = Promise.promise();
    Promise<Answer> answer = Promise.promise();
    // On a context: on another thread an answer could end before somebody reads its body.
    vertx
        .getOrCreateContext()
        .runOnContext(
            now ->
                client
                    .request(options)
                    .onComplete(request)
                    .compose(
                        it -> {
                          it.headers().addAll(headers);
                          return it.send(bytes);
                        })
                    .compose(this::read)
                    .onComplete(answer));
    return new Sent(request.future(), answer.future(), sabotage.patienceMillis());
  }

  private Future<Answer> read(HttpClientResponse response) {
    List<Map.Entry<String, String>> lines =
        response.headers().entries().stream()
            .filter(line -> !line.getKey().equalsIgnoreCase(sabotage.lostHeader()))
            .map(line -> Map.entry(line.getKey(), line.getValue()))
            .toList();
    return response.body().map(bytes -> new Answer(response.statusCode(), lines, bytes));
  }
}
