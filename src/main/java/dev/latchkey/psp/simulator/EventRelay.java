package dev.latchkey.psp.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.latchkey.net.BackOff;
import dev.latchkey.net.BoundedExchange.Outcome;
import dev.latchkey.net.BoundedHttpClient;
import dev.latchkey.psp.PspJson;
import dev.latchkey.psp.StandardWebhooks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each event until its receiver responds with a 2xx. Events are independent: a rejected one
 * delays no other. At most eight are in flight; failed ones are retried with back-off. Confined to
 * one event loop. The simulator bounds the number of undelivered events.
 */
final class EventRelay {
  private static final Logger LOG = LoggerFactory.getLogger(EventRelay.class);
  private static final JsonMapper MAPPER = PspJson.strict().build();
  private static final int MAX_IN_FLIGHT = 8;
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
  private static final int RESPONSE_TIMEOUT_MILLIS = 10_000;
  private static final int MAX_RESPONSE_BYTES = 64 << 10;
  private static final BackOff BACK_OFF = new BackOff(100, 5_000);

  private final Vertx vertx;
  private final Context context;
  private final PspSimulator simulator;
  private final URI url;
  private final Optional<StandardWebhooks> signer;
  private final BoundedHttpClient client;

  // Confined to the context.
  private final Queue<Delivery> due = new ArrayDeque<>();
  private int inFlight;
  private boolean failing;
  private boolean closed;

  private record Delivery(SimulatorEvent event, int sends) {}

  EventRelay(Vertx vertx, PspSimulator simulator, URI url, Optional<StandardWebhooks> signer) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.simulator = simulator;
    this.url = url;
    this.signer = signer;
    this.client =
        new BoundedHttpClient(
            vertx,
            new HttpClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MILLIS),
            new PoolOptions().setHttp1MaxSize(MAX_IN_FLIGHT),
            MAX_RESPONSE_BYTES);
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

  private void enqueue(SimulatorEvent event) {
    due.add(new Delivery(event, 1));
    sendDue();
  }

  private void sendDue() {
    while (inFlight < MAX_IN_FLIGHT && !due.isEmpty() && !closed) {
      Delivery delivery = due.remove();
      inFlight++;
      send(delivery.event())
          .onSuccess(
              fault -> {
                inFlight--;
                finish(delivery, fault);
                sendDue();
              });
    }
  }

  /** Completes with the reason of a failure; empty if the event was delivered. */
  private Future<Optional<String>> send(SimulatorEvent event) {
    Buffer body = body(event);
    long seconds = Instant.now().getEpochSecond();
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(url.toString())
            .putHeader("content-type", "application/json")
            .putHeader(StandardWebhooks.ID, event.id())
            .putHeader(StandardWebhooks.TIMESTAMP, Long.toString(seconds));
    signer.ifPresent(
        s -> request.putHeader(StandardWebhooks.SIGNATURE, s.sign(event.id(), seconds, body)));
    return client.send(request, body, RESPONSE_TIMEOUT_MILLIS).outcome().map(EventRelay::fault);
  }

  private static Optional<String> fault(Outcome outcome) {
    if (outcome instanceof Outcome.Response response) {
      return response.status() / 100 == 2
          ? Optional.empty()
          : Optional.of("status " + response.status());
    }
    return Optional.of(
        outcome instanceof Outcome.NotSent notSent
            ? notSent.reason()
            : ((Outcome.Lost) outcome).reason());
  }

  private void finish(Delivery delivery, Optional<String> fault) {
    if (closed) {
      return;
    }
    if (fault.isEmpty()) {
      if (failing) {
        failing = false;
        LOG.info("events are delivered again");
      }
      simulator
          .delivered(delivery.event().id())
          .onFailure(e -> LOG.warn("event {} may be sent again: {}", delivery.event().id(), e));
      return;
    }
    if (!failing) {
      failing = true;
      LOG.warn("event {} not delivered, will retry: {}", delivery.event().id(), fault.get());
    }
    vertx.setTimer(
        BACK_OFF.delayMillis(delivery.sends(), ThreadLocalRandom.current()),
        timer -> {
          due.add(new Delivery(delivery.event(), delivery.sends() + 1));
          sendDue();
        });
  }

  private static Buffer body(SimulatorEvent event) {
    try {
      return Buffer.buffer(MAPPER.writeValueAsBytes(event));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
