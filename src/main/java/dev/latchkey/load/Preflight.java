package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What comes before the first request: a look at every node and at the PSP, and the warm-up. A node
 * that does not answer now is most likely misspelt or not started, and would make each of its
 * requests wait, so the run is refused. Used from one event loop.
 */
final class Preflight {

  /** Whether to go on. */
  sealed interface Clearance {
    /**
     * All answer.
     *
     * @param before what the PSP has counted so far, if it is asked
     */
    record Granted(Optional<PspAudit.Stats> before) implements Clearance {}

    /**
     * Nothing is to be sent.
     *
     * @param why one line
     */
    record Refused(String why) implements Clearance {}
  }

  private static final String LOOK = "/v1/payments?limit=1";
  private static final int WARM_UP_ROUNDS = 10;
  private static final int MAX_WARM_UP_REQUESTS = 256;
  private static final int MAX_WARM_CONNECTIONS = 10_000;

  private final LoadPlan plan;
  private final List<Reader> nodes;
  private final Optional<PspAudit> psp;

  /**
   * For one run.
   *
   * @param plan what is to be sent
   * @param nodes one reader for each
   * @param psp the PSP's books, if they are audited
   */
  Preflight(LoadPlan plan, List<Reader> nodes, Optional<PspAudit> psp) {
    this.plan = plan;
    this.nodes = nodes;
    this.psp = psp;
  }

  /** Looks at all nodes at once, then at the PSP, and warms up. */
  Future<Clearance> run() {
    List<Future<AttemptEnd>> looks = nodes.stream().map(node -> node.once(LOOK)).toList();
    return Future.join(looks).compose(all -> judged(looks.stream().map(Future::result).toList()));
  }

  private Future<Clearance> judged(List<AttemptEnd> ends) {
    List<String> silent = new ArrayList<>();
    List<Reader> answering = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      Reader node = nodes.get(i);
      if (ends.get(i) instanceof AttemptEnd.Broken broken) {
        silent.add(node.endpoint().url() + " (" + broken.why() + ")");
      } else if (ends.get(i) instanceof AttemptEnd.Answered answer) {
        if (answer.succeeded()) {
          answering.add(node);
        } else if (!answer.retryable() && answer.status() < 500) {
          return refused(
              node.endpoint().url() + " answers GET /v1/payments with " + answer.status());
        }
      }
    }
    if (!silent.isEmpty()) {
      return refused("nothing answers at " + String.join(", ", silent));
    }
    if (psp.isEmpty()) {
      return warmUp(answering).map(warm -> new Clearance.Granted(Optional.empty()));
    }
    return psp.get()
        .statsAtOnce()
        .compose(
            early ->
                early.isEmpty()
                    ? noCounts()
                    : warmUp(answering).compose(warm -> afterWarmUp(early.get())));
  }

  /** The warm-up charges nothing, so a count that moves during it is moved by others. */
  private Future<Clearance> afterWarmUp(PspAudit.Stats early) {
    return psp.orElseThrow()
        .statsAtOnce()
        .compose(
            before -> {
              if (before.isEmpty()) {
                return noCounts();
              }
              if (early.charges() != before.get().charges()) {
                return refused(
                    "others use the PSP at "
                        + pspUrl()
                        + ": it charged while nothing was sent, so its count would prove nothing;"
                        + " run alone, or without --psp-url");
              }
              return Future.succeededFuture(new Clearance.Granted(before));
            });
  }

  private Future<Clearance> noCounts() {
    return refused("no counts from the PSP at " + pspUrl() + "/stats");
  }

  private String pspUrl() {
    return plan.psp().map(BaseUrl::url).orElseThrow();
  }

  private Future<?> warmUp(List<Reader> answering) {
    return answering.isEmpty() ? Future.succeededFuture() : warmUp(answering, WARM_UP_ROUNDS);
  }

  /**
   * Lets both sides compile their way and opens the connections, in the last round as many as will
   * be in flight, so that the first keys are not measured cold. Ends at the first trouble: that
   * belongs to the run.
   */
  private Future<?> warmUp(List<Reader> answering, int rounds) {
    List<Future<AttemptEnd>> looks = new ArrayList<>();
    int most = rounds == 1 ? MAX_WARM_CONNECTIONS : MAX_WARM_UP_REQUESTS;
    for (int i = 0; i < Math.min(plan.concurrency(), most); i++) {
      looks.add(answering.get(i % answering.size()).once(LOOK));
    }
    return Future.join(looks)
        .compose(
            all -> {
              boolean trouble =
                  looks.stream().anyMatch(look -> !(look.result() instanceof AttemptEnd.Answered));
              return trouble || rounds == 1
                  ? Future.succeededFuture()
                  : warmUp(answering, rounds - 1);
            });
  }

  private static Future<Clearance> refused(String why) {
    return Future.succeededFuture(new Clearance.Refused(why));
  }
}
