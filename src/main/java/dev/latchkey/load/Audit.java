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
 * Asks the service, after the run, what became of each key, and holds it against what the callers
 * were told. Used from one event loop.
 *
 * <p>Each key is looked up once on every node, after the last request is over and, where attempts
 * had no answer, after the time that one takes. What is not proved: an effect that shows only after
 * that look, or in no list, unless the PSP is asked, whose count is read last; and what a node
 * alone holds that does not answer any more.
 */
final class Audit {

  /**
   * What was found over all keys.
   *
   * @param payments in total
   * @param maxEffectsPerKey payments or distinct charges of one key, whichever is more
   * @param missed nodes that did not answer for all keys
   */
  record Tally(long payments, long maxEffectsPerKey, List<Listing.Missed> missed) {}

  private static final int AT_ONCE = 64;
  private static final long NO_CHARGE = 0;
  private static final int MANY = 1_000;

  private final LoadPlan plan;
  private final Listing listing;
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
   * @param listing where to read payments
   * @param psp where to look up charges
   * @param answers what the callers were told
   * @param findings takes what is wrong
   */
  Audit(
      LoadPlan plan,
      int keys,
      Listing listing,
      Optional<PspAudit> psp,
      KeyAnswers answers,
      Findings findings) {
    this.plan = plan;
    this.listing = listing;
    this.psp = psp;
    this.answers = answers;
    this.findings = findings;
    this.chargeOfKey = new long[keys];
  }

  /** Audits every key. */
  Future<Tally> run() {
    int atOnce = Math.min(AT_ONCE, plan.concurrency());
    return listing
        .begin()
        .compose(begun -> BoundedLoop.run(chargeOfKey.length, atOnce, this::auditKey))
        .map(
            done -> {
              findSharedCharges();
              return new Tally(payments, maxEffects, listing.missed());
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
    return listing.of(key).compose(listed -> compare(operation, listed));
  }

  private Future<Void> compare(int operation, Listing.Listed listed) {
    if (!listed.whole()) {
      findings.add(Fault.NOT_AUDITED, plan.key(operation));
    }
    if (!listed.found()) {
      return Future.succeededFuture();
    }
    Set<String> charges = new HashSet<>();
    boolean found = false;
    for (Object item : listed.items()) {
      if (item instanceof JsonObject payment) {
        boolean answered = answers.isAbout(operation, String.valueOf(payment.getValue("id")));
        found |= answered;
        compareContent(operation, payment, answered);
        Object charge = payment.getValue("psp_charge");
        if (charge != null) {
          charges.add(charge.toString());
          chargeOfKey[operation] = digest.ofText(charge.toString());
        }
      }
    }
    count(operation, listed.size(), charges.size());
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

  private void count(int operation, int listed, int charges) {
    payments += listed;
    int effects = Math.max(listed, charges);
    maxEffects = Math.max(maxEffects, effects);
    String seen =
        String.format(
            Locale.ROOT, "%s (%d payments, %d charges)", plan.key(operation), listed, charges);
    if (effects > 1) {
      findings.add(Fault.RAN_AGAIN, seen);
    } else if (listed == 0 || charges == 0) {
      findings.add(Fault.NO_EFFECT, seen);
    }
  }

  private void compareContent(int operation, JsonObject payment, boolean answered) {
    String seen = plan.key(operation) + " (" + described(payment) + ")";
    boolean sameAmount =
        payment.getValue("amount") instanceof Number amount
            && amount.doubleValue() == plan.amount(operation);
    if (!sameAmount || !LoadPlan.CURRENCY.equals(payment.getValue("currency"))) {
      findings.add(Fault.OTHER_CONTENT, seen);
    }
    if (!"succeeded".equals(payment.getValue("status"))) {
      findings.add(Fault.NOT_SUCCEEDED, seen);
    }
    if (answered && !answers.hasTerms(operation, payment)) {
      findings.add(Fault.LISTED_OTHERWISE, seen);
    }
  }

  private static String described(JsonObject payment) {
    return Shown.text(
        Stream.of("id", "status", "amount", "currency", "psp_charge")
            .map(name -> String.valueOf(payment.getValue(name)))
            .collect(Collectors.joining(" ")));
  }
}
