package dev.latchkey.load;

import dev.latchkey.net.BoundedExchange.Outcome;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Compares a run with the PSP's own records: every payment's charge exists, has the right amount
 * and is alone under its key; and the PSP made as many charges as there are keys. The latter needs
 * a PSP without other users, because their charges cannot be told apart.
 */
final class PspAudit {

  /** The counts of {@code GET /stats}, in total or since the run started. */
  record Counts(long charges, long maxPerKey, long suppressed) {

    private static Optional<Counts> parse(JsonObject stats) {
      return stats.getValue("charges") instanceof Number charges
              && stats.getValue("max_charges_per_key") instanceof Number maxPerKey
              && stats.getValue("duplicates_suppressed") instanceof Number suppressed
          ? Optional.of(
              new Counts(charges.longValue(), maxPerKey.longValue(), suppressed.longValue()))
          : Optional.empty();
    }
  }

  private static final String STATS = "/stats";

  private final NodeReader psp;
  private final LoadPlan plan;
  private final Violations violations;
  private boolean someKeyHasSeveralCharges = true;

  PspAudit(NodeReader psp, LoadPlan plan, Violations violations) {
    this.psp = psp;
    this.plan = plan;
    this.violations = violations;
  }

  private Future<Optional<Counts>> counts() {
    return psp.read(STATS).map(result -> result.found().flatMap(Counts::parse));
  }

  /** Reads the counts with one request, before the run. */
  Future<Optional<Counts>> countsOnce() {
    return psp.readOnce(STATS)
        .map(
            outcome ->
                outcome instanceof Outcome.Response response && response.status() == 200
                    ? LoadResponse.of(response).json().flatMap(Counts::parse)
                    : Optional.empty());
  }

  /** Determines whether the charges of each key must be read. */
  Future<Void> start() {
    return counts()
        .onSuccess(now -> someKeyHasSeveralCharges = now.isEmpty() || now.get().maxPerKey() > 1)
        .mapEmpty();
  }

  /** Checks the charge of an operation's payment, and the other charges under its key. */
  Future<Void> checkCharge(int operation, String chargeId) {
    return psp.read("/charges/" + encoded(chargeId))
        .compose(
            result -> {
              Optional<JsonObject> charge = result.found();
              if (charge.isEmpty()) {
                addViolation(operation, chargeId, "not found");
                return Future.succeededFuture();
              }
              boolean sameAmount =
                  charge.get().getValue("amount") instanceof Number amount
                      && amount.longValue() == plan.amount(operation);
              if (!sameAmount) {
                addViolation(operation, chargeId, "another amount");
              }
              Object key = charge.get().getValue("idempotency_key");
              return someKeyHasSeveralCharges && key != null
                  ? checkKey(operation, chargeId, key.toString())
                  : Future.succeededFuture();
            });
  }

  /** Checks the key that the service derived for its call. */
  private Future<Void> checkKey(int operation, String chargeId, String key) {
    return psp.read("/charges?idempotency_key=" + encoded(key))
        .onSuccess(
            result -> {
              Object data = result.found().map(list -> list.getValue("data")).orElse(null);
              if (data instanceof JsonArray charges && charges.size() > 1) {
                addViolation(operation, chargeId, charges.size() + " charges under its key");
              }
            })
        .mapEmpty();
  }

  private void addViolation(int operation, String chargeId, String found) {
    violations.add(
        Violation.PSP_CHARGE,
        DisplayText.of(chargeId) + " of " + plan.key(operation) + ": " + found);
  }

  /** Returns the counts of the run; empty, with a violation, if the PSP does not respond. */
  Future<Optional<Counts>> compare(Counts before, int keys) {
    return counts()
        .map(
            after -> {
              if (after.isEmpty()) {
                violations.add(Violation.PSP_COUNT, "no counts from the PSP after the run");
              }
              return after.map(counts -> compare(before, counts, keys));
            });
  }

  private Counts compare(Counts before, Counts after, int keys) {
    long charges = after.charges() - before.charges();
    if (charges != keys) {
      String cause = charges > keys ? ": charged again, or the PSP has other users" : "";
      violations.add(Violation.PSP_COUNT, charges + " charges for " + keys + " keys" + cause);
    }
    if (after.maxPerKey() > Math.max(1, before.maxPerKey())) {
      violations.add(Violation.PSP_COUNT, after.maxPerKey() + " charges under one key");
    }
    return new Counts(charges, after.maxPerKey(), after.suppressed() - before.suppressed());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
