package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is sent. Requests of one key are identical to the byte and adjacent in the order of sending.
 *
 * @param runId makes the keys of this run its own
 * @param nodes at least one
 * @param keys most operations
 * @param retries requests of each key
 * @param concurrency most requests in flight at a time
 * @param pace when operations begin
 * @param slowMillis how long the PSP takes over each charge, 0 for at once
 * @param hangUpShare 0 to 1, the share of callers that hang up once before their answer
 * @param apiKey the bearer secret
 * @param psp the PSP to audit as well
 */
record LoadPlan(
    String runId,
    List<BaseUrl> nodes,
    int keys,
    int retries,
    int concurrency,
    Pace pace,
    int slowMillis,
    double hangUpShare,
    Optional<String> apiKey,
    Optional<BaseUrl> psp) {

  /** What all amounts are in. */
  static final String CURRENCY = "EUR";

  private static final long SMALLEST_AMOUNT = 1_000;

  LoadPlan {
    nodes = List.copyOf(nodes);
  }

  /**
   * All requests, not counting the attempts that one of them takes; empty when time or the service
   * decides.
   */
  OptionalLong requests() {
    boolean known = pace.durationMillis().isEmpty() && !pace.open();
    return known ? OptionalLong.of((long) keys * retries) : OptionalLong.empty();
  }

  /** The idempotency key of an operation, safe in a URL as it stands. */
  String key(int operation) {
    return keyPrefix() + operation;
  }

  /** What the keys of this run alone begin with. */
  String keyPrefix() {
    return "load-" + runId + "-";
  }

  /** What an operation costs, in minor units. */
  long amount(int operation) {
    return SMALLEST_AMOUNT + operation;
  }

  /** The body that every request of an operation carries. */
  Buffer body(int operation) {
    return new JsonObject()
        .put("amount", amount(operation))
        .put("currency", CURRENCY)
        .put("payment_method", slowMillis == 0 ? "pm_card_visa" : "pm_slow_" + slowMillis)
        .toBuffer();
  }

  /**
   * The node for an attempt: the duplicates of a key go to different nodes, and so do the attempts
   * of one caller.
   */
  BaseUrl node(int operation, int duplicate, int attempt) {
    return nodes.get((int) (((long) operation + duplicate + attempt) % nodes.size()));
  }
}
