package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares, after the run, the payments of each key with the responses that its callers got.
 * Confined to one event loop.
 *
 * <p>Each key is looked up once on every node, after the last request has finished; if some
 * requests got no response, after the duration of an attempt. Not detected: an effect that appears
 * later or in no list (unless the PSP is audited, whose counts are read last), and payments that
 * only a silent node lists.
 */
final class Audit {

  /** Totals over all keys. The effects of a key are its payments or charges, if those are more. */
  record Tally(long payments, long maxEffectsPerKey, List<PaymentLookup.SilentNode> silentNodes) {}

  private static final int MAX_CONCURRENT = 64;
  private static final long NO_CHARGE = 0;
  private static final int MAX_SHARED_CHARGES = 1_000;

  private final LoadPlan plan;
  private final PaymentLookup lookup;
  private final Optional<PspAudit> psp;
  private final KeyResponses responses;
  private final Violations violations;
  private long payments;
  private long maxEffects;
  private final Digest digest = new Digest();
  private final long[] chargeOfKey;

  Audit(
      LoadPlan plan,
      int keys,
      PaymentLookup lookup,
      Optional<PspAudit> psp,
      KeyResponses responses,
      Violations violations) {
    this.plan = plan;
    this.lookup = lookup;
    this.psp = psp;
    this.responses = responses;
    this.violations = violations;
    this.chargeOfKey = new long[keys];
  }

  Future<Tally> run() {
    int concurrent = Math.min(MAX_CONCURRENT, plan.concurrency());
    return lookup
        .start()
        .compose(started -> BoundedLoop.run(chargeOfKey.length, concurrent, this::auditKey))
        .map(
            done -> {
              findSharedCharges();
              return new Tally(payments, maxEffects, lookup.silentNodes());
            });
  }

  /** Finds charges that appear in the payments of two keys. */
  private void findSharedCharges() {
    long[] sorted = chargeOfKey.clone();
    Arrays.sort(sorted);
    Set<Long> shared = new HashSet<>();
    for (int i = 1; i < sorted.length && shared.size() < MAX_SHARED_CHARGES; i++) {
      if (sorted[i] == sorted[i - 1] && sorted[i] != NO_CHARGE) {
        shared.add(sorted[i]);
      }
    }
    for (int key = 0; key < chargeOfKey.length && !shared.isEmpty(); key++) {
      if (shared.contains(chargeOfKey[key])) {
        violations.add(Violation.SHARED_CHARGE, plan.key(key));
      }
    }
  }

  private Future<Void> auditKey(int operation) {
    String key = plan.key(operation);
    if (responses.differ(operation)) {
      violations.add(Violation.RESPONSES_DIFFER, key);
    }
    if (responses.executedTwice(operation)) {
      violations.add(Violation.SEVERAL_FIRST_RESPONSES, key);
    }
    return lookup.of(key).compose(listed -> compare(operation, listed));
  }

  private Future<Void> compare(int operation, PaymentLookup.Payments listed) {
    if (!listed.complete()) {
      violations.add(Violation.NOT_AUDITED, plan.key(operation));
    }
    if (!listed.found()) {
      return Future.succeededFuture();
    }
    Set<String> charges = new HashSet<>();
    boolean found = false;
    for (Object item : listed.items()) {
      if (item instanceof JsonObject payment) {
        boolean shown = responses.shows(operation, String.valueOf(payment.getValue("id")));
        found |= shown;
        compareContent(operation, payment, shown);
        Object charge = payment.getValue("psp_charge");
        if (charge != null) {
          charges.add(charge.toString());
          chargeOfKey[operation] = digest.ofText(charge.toString());
        }
      }
    }
    count(operation, listed.size(), charges.size());
    if (responses.succeeded(operation) && !found) {
      violations.add(Violation.RESPONSE_LOST, plan.key(operation));
    }
    Future<Void> checked = Future.succeededFuture();
    if (psp.isPresent()) {
      for (String charge : charges) {
        checked = checked.compose(done -> psp.get().checkCharge(operation, charge));
      }
    }
    return checked;
  }

  private void count(int operation, int listed, int charges) {
    payments += listed;
    int effects = Math.max(listed, charges);
    maxEffects = Math.max(maxEffects, effects);
    String seen =
        String.format(
            Locale.ROOT, "%s (%d payments, %d charges)", plan.key(operation), listed, charges);
    if (effects > 1) {
      violations.add(Violation.EXECUTED_AGAIN, seen);
    } else if (listed == 0 || charges == 0) {
      violations.add(Violation.NO_EFFECT, seen);
    }
  }

  private void compareContent(int operation, JsonObject payment, boolean shown) {
    String seen = plan.key(operation) + " (" + described(payment) + ")";
    boolean sameAmount =
        payment.getValue("amount") instanceof Number amount
            && amount.doubleValue() == plan.amount(operation);
    if (!sameAmount || !LoadPlan.CURRENCY.equals(payment.getValue("currency"))) {
      violations.add(Violation.OTHER_CONTENT, seen);
    }
    if (!"succeeded".equals(payment.getValue("status"))) {
      violations.add(Violation.NOT_SUCCEEDED, seen);
    }
    if (shown && !responses.hasTerms(operation, payment)) {
      violations.add(Violation.LISTED_DIFFERENTLY, seen);
    }
  }

  private static String described(JsonObject payment) {
    return DisplayText.of(
        Stream.of("id", "status", "amount", "currency", "psp_charge")
            .map(name -> String.valueOf(payment.getValue(name)))
            .collect(Collectors.joining(" ")));
  }
}
