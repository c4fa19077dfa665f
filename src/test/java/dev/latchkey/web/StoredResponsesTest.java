package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpServerResponse;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which responses and headers a retry gets again, over the wire. */
class StoredResponsesTest {

  private final AtomicInteger runs = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 408, 413, 425, 429, 500, 501, 502, 503, 504, 507, 599})
  void statusIsNotStored(int status) throws Exception {
    try (var app = responding(status)) {
      HttpResponse<String> first = app.send(app.keyed("k", "{}"));
      HttpResponse<String> retry = app.send(app.keyed("k", "{}"));

      assertThat(first.statusCode()).isEqualTo(status);
      assertThat(first.headers().firstValue("Idempotency-Expires")).isEmpty();
      assertThat(retry.statusCode()).isEqualTo(status);
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).isEmpty();
      assertThat(runs).hasValue(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 301, 303, 400, 402, 404, 405, 409, 410, 412, 418, 422})
  void statusIsStored(int status) throws Exception {
    try (var app = responding(status)) {
      HttpResponse<String> first = app.send(app.keyed("k", "{}"));
      HttpResponse<String> retry = app.send(app.keyed("k", "{}"));

      assertThat(first.headers().firstValue("Idempotency-Expires")).isPresent();
      assertThat(retry.statusCode()).isEqualTo(status);
      assertThat(retry.body()).isEqualTo(first.body());
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void headersOfTheMomentAndSecretsAreNotReplayed() throws Exception {
    String[] names = {
      "Set-Cookie",
      "Authorization",
      "WWW-Authenticate",
      "Preference-Applied",
      "Idempotent-Replayed",
      "traceparent",
      "tracestate"
    };
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              HttpServerResponse response = ctx.response().setStatusCode(201);
              for (String name : names) {
                response.putHeader(name, "of-the-first");
              }
              response.putHeader("Date", "Thu, 01 Jan 1970 00:00:00 GMT");
              response.putHeader("X-Kept", "kept").end("done");
            })) {
      HttpResponse<String> first = app.send(app.keyed("k", "{}"));
      HttpResponse<String> retry = app.send(app.keyed("k", "{}"));

      assertThat(first.headers().firstValue("Set-Cookie")).contains("of-the-first");
      assertThat(first.headers().firstValue("Idempotent-Replayed")).as("forged").isEmpty();
      assertThat(retry.headers().firstValue("X-Kept")).contains("kept");
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
      for (String name : names) {
        assertThat(retry.headers().allValues(name)).as(name).doesNotContain("of-the-first");
      }
      assertThat(retry.headers().firstValue("Date").orElse("")).doesNotContain("1970");
    }
  }

  private WebFixture responding(int status) {
    return new WebFixture(
        new IdempotencyOptions(),
        ctx -> {
          runs.incrementAndGet();
          HttpServerResponse response = ctx.response().setStatusCode(status);
          if (status == 204) {
            response.end();
          } else {
            response.putHeader("Location", "/elsewhere").end("body of " + status);
          }
        });
  }
}
