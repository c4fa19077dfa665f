package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Asks the service, after the run, what became of each key, and holds it against what the callers
 * were told. Used from one event loop.
 */
final class Audit {

  /**
   * What was found over all keys.
   *
   * @param payments in total
   * @param maxEffectsPerKey payments or distinct charges of one key, whichever is more
   */
  record Tally(long payments, long maxEffectsPerKey) {}

  private static final int AT_ONCE = 64;
  private static final long NO_CHARGE = 0;
  private static final int MANY = 1_000;

  private final LoadPlan plan;
  private final Reader service;
  private final Optional<PspAudit> psp;
  private final KeyAnswers answers;
  private final Findings findings;
  private long payments;
  private long maxEffects;
  private final Digest digest = new Digest();
  private final long[] chargeOfKey;

  /**
   * An audit of one run.
   *
   * @param plan what was sent
   * @param keys how many of its keys
   * @param service where to read payments
   * @param psp where to look up charges
   * @param answers what the callers were told
   * @param findings takes what is wrong
   */
  Audit(
      LoadPlan plan,
      int keys,
      Reader service,
      Optional<PspAudit> psp,
      KeyAnswers answers,
      Findings findings) {
    this.plan = plan;
    this.service = service;
    this.psp = psp;
    this.answers = answers;
    this.findings = findings;
    this.chargeOfKey = new long[keys];
  }

  /** Audits every key. */
  Future<Tally> run() {
    int atOnce = Math.min(AT_ONCE, plan.concurrency());
    return BoundedLoop.run(chargeOfKey.length, atOnce, this::auditKey)
        .map(
            done -> {
              findSharedCharges();
              return new Tally(payments, maxEffects);
            });
  }

  /** A charge that stands in the payments of two keys was made once for both. */
  private void findSharedCharges() {
    long[] sorted = chargeOfKey.clone();
    Arrays.sort(sorted);
    Set<Long> shared = new HashSet<>();
    for (int i = 1; i < sorted.length && shared.size() < MANY; i++) {
      if (sorted[i] == sorted[i - 1] && sorted[i] != NO_CHARGE) {
        shared.add(sorted[i]);
      }
    }
    for (int key = 0; key < chargeOfKey.length && !shared.isEmpty(); key++) {
      if (shared.contains(chargeOfKey[key])) {
        findings.add(Fault.SHARED_CHARGE, plan.key(key));
      }
    }
  }

  private Future<Void> auditKey(int operation) {
    String key = plan.key(operation);
    if (answers.differ(operation)) {
      findings.add(Fault.ANSWERS_DIFFER, key);
    }
    if (answers.ranTwice(operation)) {
      findings.add(Fault.TWO_FIRST_ANSWERS, key);
    }
    return service
        .read("/v1/payments?limit=100&idempotency_key=" + key, operation)
        .map(answer -> answer.map(list -> list.getValue("data")))
        .compose(
            data -> {
              if (data.isPresent() && data.get() instanceof JsonArray list) {
                return compare(operation, list);
              }
              findings.add(Fault.NOT_AUDITED, key);
              return Future.succeededFuture();
            });
  }

  private Future<Void> compare(int operation, JsonArray list) {
    Set<String> charges = new HashSet<>();
    boolean found = false;
    for (Object item : list) {
      if (item instanceof JsonObject payment) {
        found |= answers.isAbout(operation, String.valueOf(payment.getValue("id")));
        Object charge = payment.getValue("psp_charge");
        if (charge != null) {
          charges.add(charge.toString());
          chargeOfKey[operation] = digest.ofText(charge.toString());
        }
      }
    }
    payments += list.size();
    int effects = Math.max(list.size(), charges.size());
    maxEffects = Math.max(maxEffects, effects);
    String seen =
        String.format(
            "%s (%d payments, %d charges)", plan.key(operation), list.size(), charges.size());
    if (effects > 1) {
      findings.add(Fault.RAN_AGAIN, seen);
    } else if (list.isEmpty() || charges.isEmpty()) {
      findings.add(Fault.NO_EFFECT, seen);
    }
    if (answers.answered(operation) && !found) {
      findings.add(Fault.ANSWER_LOST, plan.key(operation));
    }
    Future<Void> checked = Future.succeededFuture();
    if (psp.isPresent()) {
      for (String charge : charges) {
        checked = checked.compose(done -> psp.get().checkCharge(operation, charge));
      }
    }
    return checked;
  }
}
