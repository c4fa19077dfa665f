package dev.latchkey.load;

import dev.latchkey.net.BoundedExchange.Outcome;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks every node and the PSP before the first request, and warms up. A silent node is most
 * likely misspelt or not started and would delay each of its requests, so the run is refused.
 * Confined to one event loop.
 */
final class Preflight {

  /** The decision whether to run. */
  sealed interface Clearance {

    /** Run; the PSP's counts so far are present if it is audited. */
    record Granted(Optional<PspAudit.Counts> before) implements Clearance {}

    /** Send nothing; the reason is one line. */
    record Refused(String reason) implements Clearance {}
  }

  private static final String PROBE = "/v1/payments?limit=1";
  private static final int WARM_UP_ROUNDS = 10;
  private static final int MAX_WARM_UP_REQUESTS = 256;
  private static final int MAX_WARM_CONNECTIONS = 10_000;

  private final LoadPlan plan;
  private final List<NodeReader> nodes;
  private final Optional<PspAudit> psp;

  Preflight(LoadPlan plan, List<NodeReader> nodes, Optional<PspAudit> psp) {
    this.plan = plan;
    this.nodes = nodes;
    this.psp = psp;
  }

  /** Checks all nodes at once, then the PSP, and warms up. */
  Future<Clearance> run() {
    List<Future<Outcome>> probes = nodes.stream().map(node -> node.readOnce(PROBE)).toList();
    return Future.join(probes).compose(all -> evaluate(probes));
  }

  private Future<Clearance> evaluate(List<Future<Outcome>> probes) {
    List<String> silent = new ArrayList<>();
    List<NodeReader> ready = new ArrayList<>();
    for (int i = 0; i < probes.size(); i++) {
      NodeReader node = nodes.get(i);
      if (!(probes.get(i).result() instanceof Outcome.Response complete)) {
        silent.add(node.url() + " (" + NodeReader.reason(probes.get(i).result()) + ")");
        continue;
      }
      LoadResponse response = LoadResponse.of(complete);
      if (response.succeeded()) {
        ready.add(node);
      } else if (!response.retryable() && response.status() < 500) {
        return refused(node.url() + " responds to GET /v1/payments with " + response.status());
      }
    }
    if (!silent.isEmpty()) {
      return refused("no response from " + String.join(", ", silent));
    }
    return psp.isEmpty()
        ? warmUp(ready).map(warm -> new Clearance.Granted(Optional.empty()))
        : checkPsp(psp.get(), ready);
  }

  private Future<Clearance> checkPsp(PspAudit audited, List<NodeReader> ready) {
    return audited
        .countsOnce()
        .compose(
            early ->
                early.isEmpty()
                    ? refused(noCounts())
                    : warmUp(ready)
                        .compose(warm -> audited.countsOnce())
                        .map(before -> compare(early.get(), before)));
  }

  /** The warm-up charges nothing, so a count that changes during it shows other users. */
  private Clearance compare(PspAudit.Counts early, Optional<PspAudit.Counts> before) {
    if (before.isEmpty()) {
      return new Clearance.Refused(noCounts());
    }
    return before.get().charges() == early.charges()
        ? new Clearance.Granted(before)
        : new Clearance.Refused(
            "the PSP at "
                + plan.psp().orElseThrow().url()
                + " has other users: it charged while nothing was sent, so its counts prove"
                + " nothing; run alone, or without --psp-url");
  }

  private String noCounts() {
    return "no counts from the PSP at " + plan.psp().orElseThrow().url() + "/stats";
  }

  private Future<?> warmUp(List<NodeReader> ready) {
    return ready.isEmpty() ? Future.succeededFuture() : warmUp(ready, WARM_UP_ROUNDS);
  }

  /**
   * Lets both sides compile their code and opens the connections, so that the first keys are not
   * measured cold. The last round opens as many connections as the run. Ends at the first failure,
   * which belongs to the run.
   */
  private Future<?> warmUp(List<NodeReader> ready, int rounds) {
    List<Future<Outcome>> probes = new ArrayList<>();
    int most = rounds == 1 ? MAX_WARM_CONNECTIONS : MAX_WARM_UP_REQUESTS;
    for (int i = 0; i < Math.min(plan.concurrency(), most); i++) {
      probes.add(ready.get(i % ready.size()).readOnce(PROBE));
    }
    return Future.join(probes)
        .compose(
            all -> {
              boolean failed =
                  probes.stream().anyMatch(p -> !(p.result() instanceof Outcome.Response));
              return failed || rounds == 1 ? Future.succeededFuture() : warmUp(ready, rounds - 1);
            });
  }

  private static Future<Clearance> refused(String reason) {
    return Future.succeededFuture(new Clearance.Refused(reason));
  }
}
