package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Compares a run with the PSP's own books. Other traffic at the PSP during the run shows as a
 * fault, since its charges cannot be told apart.
 */
final class PspAudit {

  /**
   * What {@code GET /stats} says.
   *
   * @param charges authorisations that succeeded, ever
   * @param maxPerKey most charges under one key
   */
  record Stats(long charges, long maxPerKey) {}

  /**
   * What the PSP counted.
   *
   * @param charges made since the run began
   * @param maxPerKey most charges under one key
   */
  record Count(long charges, long maxPerKey) {}

  private final Reader psp;
  private final LoadPlan plan;
  private final Findings findings;

  PspAudit(Reader psp, LoadPlan plan, Findings findings) {
    this.psp = psp;
    this.plan = plan;
    this.findings = findings;
  }

  /** The PSP's counts; empty when it does not tell. */
  Future<Optional<Stats>> stats() {
    return psp.read("/stats", 0)
        .map(
            answer ->
                answer
                    .filter(object -> isCount(object, "charges"))
                    .filter(object -> isCount(object, "max_charges_per_key"))
                    .map(
                        object ->
                            new Stats(
                                object.getLong("charges"), object.getLong("max_charges_per_key"))));
  }

  private static boolean isCount(JsonObject object, String name) {
    return object.getValue(name) instanceof Number;
  }

  /** Looks up the charge of an operation's payment. */
  Future<Void> checkCharge(int operation, String chargeId) {
    String path = "/charges/" + URLEncoder.encode(chargeId, StandardCharsets.UTF_8);
    return psp.read(path, 0)
        .map(
            charge -> {
              boolean sound =
                  charge
                      .map(object -> object.getValue("amount"))
                      .filter(Number.class::isInstance)
                      .map(amount -> ((Number) amount).longValue() == plan.amount(operation))
                      .orElse(false);
              if (!sound) {
                String seen = charge.isEmpty() ? "not there" : "another amount";
                findings.add(
                    Fault.PSP_CHARGE, chargeId + " of " + plan.key(operation) + ": " + seen);
              }
              return null;
            });
  }

  /**
   * Compares the counts before and after.
   *
   * @param before when nothing had been sent yet
   * @return what was counted, empty when the PSP does not tell any more, which is a fault
   */
  Future<Optional<Count>> compare(Stats before) {
    return stats()
        .map(
            after -> {
              if (after.isEmpty()) {
                findings.add(Fault.PSP_COUNT, "no counts from the PSP after the run");
                return Optional.empty();
              }
              Count count =
                  new Count(after.get().charges() - before.charges(), after.get().maxPerKey());
              if (count.charges() != plan.keys()) {
                findings.add(
                    Fault.PSP_COUNT, count.charges() + " charges for " + plan.keys() + " keys");
              }
              if (count.maxPerKey() > Math.max(1, before.maxPerKey())) {
                findings.add(Fault.PSP_COUNT, count.maxPerKey() + " charges under one key");
              }
              return Optional.of(count);
            });
  }
}
