package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Compares a run with the PSP's own books. What they prove: every payment's charge is there, of the
 * right amount and alone under its key, and since the run began the PSP made as many charges as
 * there are keys, so none that no payment shows. The latter needs a PSP that nobody else uses
 * meanwhile: a charge of somebody else cannot be told from one too many, and is counted as such.
 */
final class PspAudit {

  /**
   * What {@code GET /stats} says.
   *
   * @param charges authorisations that succeeded, ever
   * @param maxPerKey most charges under one key, ever
   * @param suppressed calls that it answered from memory, ever, where it tells
   */
  record Stats(long charges, long maxPerKey, OptionalLong suppressed) {}

  /**
   * What the PSP counted.
   *
   * @param charges made since the run began
   * @param maxPerKey most charges under one key
   * @param suppressed calls that it answered from memory since the run began, where it tells
   */
  record Count(long charges, long maxPerKey, OptionalLong suppressed) {}

  private static final String STATS = "/stats";

  private final Reader psp;
  private final LoadPlan plan;
  private final Findings findings;
  private boolean someKeyHasMore = true;

  PspAudit(Reader psp, LoadPlan plan, Findings findings) {
    this.psp = psp;
    this.plan = plan;
    this.findings = findings;
  }

  /** The PSP's counts; empty when it does not tell. */
  Future<Optional<Stats>> stats() {
    return psp.read(STATS).map(reading -> reading.found().flatMap(PspAudit::stats));
  }

  /** The same by a single look, for before the run. */
  Future<Optional<Stats>> statsAtOnce() {
    return psp.once(STATS)
        .map(
            end ->
                end instanceof AttemptEnd.Answered answer && answer.succeeded()
                    ? answer.json().flatMap(PspAudit::stats)
                    : Optional.empty());
  }

  private static Optional<Stats> stats(JsonObject answer) {
    OptionalLong charges = count(answer, "charges");
    OptionalLong maxPerKey = count(answer, "max_charges_per_key");
    return charges.isEmpty() || maxPerKey.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Stats(
                charges.getAsLong(),
                maxPerKey.getAsLong(),
                count(answer, "duplicates_suppressed")));
  }

  private static OptionalLong count(JsonObject object, String name) {
    return object.getValue(name) instanceof Number number
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  /** Finds out, after the sending, whether it is worth asking for the charges of each key. */
  Future<Void> lookAtKeys() {
    return stats()
        .map(
            now -> {
              someKeyHasMore = now.map(counts -> counts.maxPerKey() > 1).orElse(true);
              return null;
            });
  }

  /**
   * Looks up the charge of an operation's payment, and what else was charged under its key.
   *
   * @param operation which key
   * @param chargeId what its payment shows
   */
  Future<Void> checkCharge(int operation, String chargeId) {
    return psp.read("/charges/" + encoded(chargeId))
        .compose(
            reading -> {
              Optional<JsonObject> charge = reading.found();
              OptionalLong amount =
                  charge.map(found -> count(found, "amount")).orElse(OptionalLong.empty());
              if (charge.isEmpty()) {
                fault(operation, chargeId, "not there");
              } else if (!amount.equals(OptionalLong.of(plan.amount(operation)))) {
                fault(operation, chargeId, "another amount");
              }
              return charge
                  .filter(found -> someKeyHasMore)
                  .map(found -> found.getValue("idempotency_key"))
                  .map(key -> checkKey(operation, chargeId, key.toString()))
                  .orElseGet(Future::succeededFuture);
            });
  }

  /** The key is the one that the service derived for its call. */
  private Future<Void> checkKey(int operation, String chargeId, String key) {
    return psp.read("/charges?idempotency_key=" + encoded(key))
        .map(
            reading -> {
              Object data = reading.found().map(list -> list.getValue("data")).orElse(null);
              if (data instanceof JsonArray charges && charges.size() > 1) {
                fault(operation, chargeId, charges.size() + " charges under its key");
              }
              return null;
            });
  }

  private void fault(int operation, String chargeId, String seen) {
    findings.add(
        Fault.PSP_CHARGE, Shown.text(chargeId) + " of " + plan.key(operation) + ": " + seen);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * Compares the counts before and after.
   *
   * @param before when nothing had been sent yet
   * @param keys how many operations were sent
   * @return what was counted, empty when the PSP does not tell any more, which is a fault
   */
  Future<Optional<Count>> compare(Stats before, int keys) {
    return stats()
        .map(
            after -> {
              if (after.isEmpty()) {
                findings.add(Fault.PSP_COUNT, "no counts from the PSP after the run");
              }
              return after.map(counts -> compare(before, counts, keys));
            });
  }

  private Count compare(Stats before, Stats after, int keys) {
    long charges = after.charges() - before.charges();
    if (charges > keys) {
      findings.add(
          Fault.PSP_COUNT,
          charges + " charges for " + keys + " keys: charged again, or others use this PSP");
    } else if (charges < keys) {
      findings.add(Fault.PSP_COUNT, charges + " charges for " + keys + " keys");
    }
    if (after.maxPerKey() > Math.max(1, before.maxPerKey())) {
      findings.add(Fault.PSP_COUNT, after.maxPerKey() + " charges under one key");
    }
    boolean tells = before.suppressed().isPresent() && after.suppressed().isPresent();
    return new Count(
        charges,
        after.maxPerKey(),
        tells
            ? OptionalLong.of(after.suppressed().getAsLong() - before.suppressed().getAsLong())
            : OptionalLong.empty());
  }
}
