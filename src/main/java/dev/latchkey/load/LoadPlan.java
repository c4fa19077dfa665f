package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests of a run, as {@link LoadOptions} describe them. Those of one key are byte-identical
 * and sent in sequence.
 */
record LoadPlan(
    String runId,
    List<BaseUrl> nodes,
    int keys,
    int retries,
    int concurrency,
    Arrivals.Settings arrivals,
    int slowMillis,
    double hangUpShare,
    Optional<String> apiKey,
    Optional<BaseUrl> psp) {

  static final String CURRENCY = "EUR";

  private static final long SMALLEST_AMOUNT = 1_000;

  LoadPlan {
    nodes = List.copyOf(nodes);
  }

  /** Returns the number of requests without retries; empty if the duration decides. */
  OptionalLong requests() {
    boolean known = arrivals.durationNanos().isEmpty() && !arrivals.open();
    return known ? OptionalLong.of((long) keys * retries) : OptionalLong.empty();
  }

  /** Returns the idempotency key of an operation, which needs no encoding in a URL. */
  String key(int operation) {
    return keyPrefix() + operation;
  }

  /** Returns the prefix of all keys of this run. */
  String keyPrefix() {
    return "load-" + runId + "-";
  }

  /** Returns the amount of an operation in minor units. */
  long amount(int operation) {
    return SMALLEST_AMOUNT + operation;
  }

  /** Returns the body of every request of an operation. */
  Buffer body(int operation) {
    return new JsonObject()
        .put("amount", amount(operation))
        .put("currency", CURRENCY)
        .put("payment_method", slowMillis == 0 ? "pm_card_visa" : "pm_slow_" + slowMillis)
        .toBuffer();
  }

  /** Returns the node: duplicates of a key, and the sends of one caller, use different nodes. */
  BaseUrl node(int operation, int duplicate, int send) {
    return nodes.get((int) (((long) operation + duplicate + send) % nodes.size()));
  }
}
