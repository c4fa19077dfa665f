package dev.latchkey.client;

import dev.latchkey.net.BoundedExchange;
import dev.latchkey.net.BoundedExchange.Outcome;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The sends of one request until its final response. Confined to one context. */
final class IdempotentCall {

  /** What a service needs to respond after a wait. */
  private static final long RESPONSE_MARGIN_MILLIS = 1_000;

  private static final long MAX_WAIT_SECONDS = 60;

  private final IdempotentClient client;
  private final IdempotentRequest request;
  private final int firstNode;
  private final Promise<ClientResponse> result = Promise.promise();
  private final Set<BoundedExchange> open = new HashSet<>();
  private final long startNanos = System.nanoTime();
  private long lifetimeMillis;
  private int sends;
  private int failures;
  private boolean reachedServer;
  private Optional<JsonObject> lastProblem = Optional.empty();
  private String lastFailure = "not sent";

  IdempotentCall(IdempotentClient client, IdempotentRequest request, int firstNode) {
    this.client = client;
    this.request = request;
    this.firstNode = firstNode;
    this.lifetimeMillis = client.options().getKeyLifetimeMillis();
  }

  Future<ClientResponse> start() {
    Context context = client.vertx().getOrCreateContext();
    context.runOnContext(
        now -> {
          send();
          hedge();
        });
    return result.future();
  }

  private void send() {
    long leftMillis = client.options().getDeadlineMillis() - spentMillis();
    if (leftMillis <= 0) {
      giveUp("the deadline has passed");
      return;
    }
    long limitMillis = Math.min(leftMillis, client.options().getSendTimeoutMillis());
    long waitSeconds = Math.max(0, (limitMillis - RESPONSE_MARGIN_MILLIS) / 1_000);
    RequestOptions options =
        client
            .request(firstNode + sends, request.method(), request.path(), request.headers())
            .putHeader("Idempotency-Key", request.quotedKey())
            .putHeader("Prefer", "wait=" + Math.min(MAX_WAIT_SECONDS, waitSeconds));
    sends++;
    long sentNanos = System.nanoTime();
    BoundedExchange exchange = client.http().send(options, request.body(), limitMillis);
    open.add(exchange);
    exchange.outcome().onSuccess(outcome -> ended(exchange, outcome, sentNanos));
  }

  /** Sends a copy if the first send takes longer than most others. */
  private void hedge() {
    OptionalLong p95Millis = client.latency().p95Millis();
    if (!client.options().isHedging() || p95Millis.isEmpty()) {
      return;
    }
    client
        .vertx()
        .setTimer(
            p95Millis.getAsLong(),
            timer -> {
              boolean onlyFirstIsOpen = sends == 1 && open.size() == 1;
              if (onlyFirstIsOpen && client.budget().allowsRetry()) {
                client.budget().failed();
                send();
              }
            });
  }

  private void ended(BoundedExchange exchange, Outcome outcome, long sentNanos) {
    open.remove(exchange);
    if (result.future().isComplete()) {
      return;
    }
    OptionalLong retryAfterMillis = OptionalLong.empty();
    if (outcome instanceof Outcome.Response response) {
      RetryRule rule = RetryRule.of(response);
      reachedServer = true;
      lifetimeMillis = Math.min(lifetimeMillis, spentMillis() + rule.keyMillisLeft());
      if (!rule.retryable()) {
        client.latency().add(System.nanoTime() - sentNanos);
        client.budget().succeeded();
        finish(response);
        return;
      }
      lastProblem = rule.problem();
      lastFailure = "status " + response.status();
      retryAfterMillis = rule.retryAfterMillis();
    } else if (outcome instanceof Outcome.Lost lost) {
      reachedServer = true;
      lastFailure = lost.reason();
    } else if (outcome instanceof Outcome.NotSent notSent) {
      lastFailure = notSent.reason();
    }
    client.budget().failed();
    if (open.isEmpty()) {
      retry(retryAfterMillis);
    }
  }

  private void finish(Outcome.Response response) {
    result.complete(
        new ClientResponse(response.status(), response.headers(), response.body(), sends));
    open.forEach(copy -> copy.abort("another send has the response"));
  }

  private void retry(OptionalLong retryAfterMillis) {
    failures++;
    long delayMillis = Math.max(client.delayMillis(failures), retryAfterMillis.orElse(0));
    long atMillis = spentMillis() + delayMillis;
    if (atMillis >= client.options().getDeadlineMillis()) {
      giveUp("no time is left for a retry");
    } else if (atMillis >= lifetimeMillis) {
      giveUp("the key expires before a retry");
    } else if (!client.budget().allowsRetry()) {
      giveUp("the retry budget is used up");
    } else {
      client.vertx().setTimer(delayMillis, timer -> send());
    }
  }

  private void giveUp(String reason) {
    result.fail(
        new GaveUpException(
            "%s %s: %s after %d sends (last: %s)"
                .formatted(request.method(), request.path(), reason, sends, lastFailure),
            request.key(),
            lastProblem,
            reachedServer,
            () -> client.queryKey(request, firstNode + sends)));
  }

  private long spentMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }
}
