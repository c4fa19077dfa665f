package dev.latchkey.examples;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** Two lines protect an application that has never heard of payments. */
class StrangersApplicationTest {

  @Test
  void anOrderIsMadeOnceHoweverOftenItIsSent() throws Exception {
    Vertx vertx = TestVertx.create();
    OrdersApplication application = new OrdersApplication();
    await(vertx.deployVerticle(application));
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest order =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + application.port() + "/orders"))
            .header("Idempotency-Key", "8e03978e-40d5-43e8-bc93-6894a57f9324")
            .POST(BodyPublishers.ofString("three chairs"))
            .build();

    HttpResponse<String> first = client.send(order, BodyHandlers.ofString());
    HttpResponse<String> retry = client.send(order, BodyHandlers.ofString());

    assertThat(first.body()).isEqualTo("{\"order\":1}");
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(application.orders).hasValue(1);
    await(vertx.close());
  }
}
