package dev.latchkey.psp;

import dev.latchkey.net.BackOff;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the PSP's events until each was taken with a 2xx: each on its own, so that one that is
 * refused holds up no other, at most eight at a time, with back-off. Its state is confined to one
 * event loop. How many may wait is bounded by the simulator.
 */
final class EventRelay {
  private static final Logger LOG = LoggerFactory.getLogger(EventRelay.class);
  private static final int MAX_IN_FLIGHT = 8;
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
  private static final long ANSWER_TIMEOUT_MILLIS = 10_000;
  private static final BackOff BACK_OFF = new BackOff(100, 5_000);

  private final Vertx vertx;
  private final Context context;
  private final PspSimulator simulator;
  private final URI url;
  private final Optional<StandardWebhooks> signer;
  private final HttpClient client;

  // Confined to the context.
  private final Queue<Delivery> due = new ArrayDeque<>();
  private int inFlight;
  private boolean failing;
  private boolean closed;

  private record Delivery(PspEvent event, int attempt) {
    Delivery again() {
      return new Delivery(event, attempt + 1);
    }
  }

  EventRelay(Vertx vertx, PspSimulator simulator, URI url, Optional<StandardWebhooks> signer) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.simulator = simulator;
    this.url = url;
    this.signer = signer;
    this.client =
        vertx
            .httpClientBuilder()
            .with(new HttpClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MILLIS))
            .with(new PoolOptions().setHttp1MaxSize(MAX_IN_FLIGHT))
            .withConnectHandler(QuietConnections::accept)
            .build();
  }

  void start() {
    context.runOnContext(
        start ->
            simulator
                .onEvent(event -> context.runOnContext(now -> enqueue(event)))
                .forEach(this::enqueue));
  }

  Future<Void> close() {
    context.runOnContext(now -> closed = true);
    return client.close();
  }

  private void enqueue(PspEvent event) {
    due.add(new Delivery(event, 1));
    sendDue();
  }

  private void sendDue() {
    while (inFlight < MAX_IN_FLIGHT && !due.isEmpty() && !closed) {
      Delivery delivery = due.remove();
      inFlight++;
      // A client's futures complete on the context that asked, which is this one.
      send(delivery.event())
          .onComplete(
              sent -> {
                inFlight--;
                finish(delivery, sent.succeeded() ? sent.result() : sent.cause().toString());
                sendDue();
              });
    }
  }

  /** Completes with an empty text when the event was taken, else with what was wrong. */
  private Future<String> send(PspEvent event) {
    Buffer body = body(event);
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(url.toString())
                .setConnectTimeout(ANSWER_TIMEOUT_MILLIS)
                .setIdleTimeout(ANSWER_TIMEOUT_MILLIS))
        .compose(
            request -> {
              putHeaders(request, event, body);
              return request.send(body);
            })
        .map(response -> response.statusCode() / 100 == 2 ? "" : "status " + response.statusCode());
  }

  private void putHeaders(HttpClientRequest request, PspEvent event, Buffer body) {
    long seconds = Instant.now().getEpochSecond();
    request
        .putHeader("content-type", "application/json")
        .putHeader(StandardWebhooks.ID, event.id())
        .putHeader(StandardWebhooks.TIMESTAMP, Long.toString(seconds));
    signer.ifPresent(
        s -> request.putHeader(StandardWebhooks.SIGNATURE, s.sign(event.id(), seconds, body)));
  }

  private void finish(Delivery delivery, String fault) {
    if (closed) {
      return;
    }
    if (fault.isEmpty()) {
      if (failing) {
        failing = false;
        LOG.info("events are taken again");
      }
      simulator
          .delivered(delivery.event().id())
          .onFailure(e -> LOG.warn("event {} will be sent again: {}", delivery.event().id(), e));
      return;
    }
    if (!failing) {
      failing = true;
      LOG.warn("event {} was not taken, retrying: {}", delivery.event().id(), fault);
    }
    long delayMillis = BACK_OFF.delayMillis(delivery.attempt(), ThreadLocalRandom.current());
    vertx.setTimer(
        delayMillis,
        timer -> {
          due.add(delivery.again());
          sendDue();
        });
  }

  private static Buffer body(PspEvent event) {
    JsonObject data = new JsonObject().put("charge", event.charge());
    event.amount().ifPresent(amount -> data.put("amount", amount));
    return new JsonObject()
        .put("id", event.id())
        .put("type", event.type())
        .put("created_at", Instant.ofEpochMilli(event.createdAtMillis()).toString())
        .put("data", data)
        .toBuffer();
  }
}
