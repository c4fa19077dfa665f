package dev.latchkey.load;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One run from the first look at the nodes to the report, on one event loop: nothing it keeps is
 * shared with another thread, save the counters that {@link Recorder} says.
 */
final class LoadRun {

  /** How a run ended. */
  sealed interface Result {
    /**
     * It ran and was audited.
     *
     * @param report what it showed
     */
    record Finished(LoadReport report) implements Result {}

    /**
     * Nothing was sent.
     *
     * @param why one line
     */
    record CouldNotRun(String why) implements Result {}
  }

  private static final int WARM_UP_ROUNDS = 10;
  private static final int MAX_WARM_UP_REQUESTS = 256;
  private static final int MAX_WARM_CONNECTIONS = 10_000;

  private final Vertx vertx;
  private final LoadPlan plan;
  private final Patience patience;
  private final Findings findings = new Findings();
  private final Recorder recorder;
  private final Wire wire;
  private final Reader service;
  private final List<Endpoint> answering = new ArrayList<>();
  private final Optional<PspAudit> psp;

  LoadRun(Vertx vertx, LoadPlan plan, Patience patience) {
    this.vertx = vertx;
    this.plan = plan;
    this.patience = patience;
    this.recorder = new Recorder(plan, findings);
    this.wire = new Wire(vertx, plan.concurrency(), patience);
    this.service = new Reader(vertx, wire, plan.nodes(), plan.apiKey(), patience);
    this.psp =
        plan.psp()
            .map(url -> new Reader(vertx, wire, List.of(url), Optional.empty(), patience))
            .map(reader -> new PspAudit(reader, plan, findings));
  }

  /** The counters, for a progress line. */
  Recorder recorder() {
    return recorder;
  }

  /** Runs; fails only when the load generator itself is broken. */
  Future<Result> start() {
    Promise<Result> result = Promise.promise();
    Context context = vertx.getOrCreateContext();
    context.exceptionHandler(result::tryFail);
    context.runOnContext(
        v -> look(0, new ArrayList<>()).onSuccess(result::tryComplete).onFailure(result::tryFail));
    return result.future();
  }

  /** One node that answers is enough: requests to the others will be retried. */
  private Future<Result> look(int node, List<String> silent) {
    if (node == plan.nodes().size()) {
      return silent.size() == node
          ? couldNotRun("nothing answers at " + String.join(", ", silent))
          : beforePsp();
    }
    Endpoint endpoint = plan.nodes().get(node);
    return service
        .once(endpoint, "/v1/payments?limit=1")
        .compose(
            outcome -> {
              if (outcome instanceof Outcome.Broken broken) {
                silent.add(endpoint.url() + " (" + broken.why() + ")");
              } else if (outcome instanceof Outcome.Answered answer && answer.succeeded()) {
                answering.add(endpoint);
              } else if (outcome instanceof Outcome.Answered answer
                  && !answer.succeeded()
                  && !answer.retryable()
                  && answer.status() < 500) {
                return couldNotRun(
                    endpoint.url() + " answers GET /v1/payments with " + answer.status());
              }
              return look(node + 1, silent);
            });
  }

  private Future<Result> beforePsp() {
    if (psp.isEmpty()) {
      return warmUp().compose(warm -> measured(Optional.empty()));
    }
    return psp.get().stats().compose(early -> warmUp().compose(warm -> afterWarmUp(early)));
  }

  /** The warm-up charges nothing, so a count that moves during it is moved by others. */
  private Future<Result> afterWarmUp(Optional<PspAudit.Stats> early) {
    return psp.orElseThrow()
        .stats()
        .compose(
            before -> {
              String url = plan.psp().map(Endpoint::url).orElseThrow();
              if (early.isEmpty() || before.isEmpty()) {
                return couldNotRun("no counts from the PSP at " + url + "/stats");
              }
              if (early.get().charges() != before.get().charges()) {
                return couldNotRun(
                    "others use the PSP at "
                        + url
                        + ": it charged while nothing was sent, so its count would prove nothing;"
                        + " run alone, or without --psp-url");
              }
              return measured(before);
            });
  }

  private Future<?> warmUp() {
    return answering.isEmpty() ? Future.succeededFuture() : warmUp(WARM_UP_ROUNDS);
  }

  /**
   * Lets both sides compile their way and opens the connections, in the last round as many as will
   * be in flight, so that the first keys are not measured cold. Ends at the first trouble: that
   * belongs to the run.
   */
  private Future<?> warmUp(int rounds) {
    List<Future<Outcome>> looks = new ArrayList<>();
    int most = rounds == 1 ? MAX_WARM_CONNECTIONS : MAX_WARM_UP_REQUESTS;
    for (int i = 0; i < Math.min(plan.concurrency(), most); i++) {
      looks.add(service.once(answering.get(i % answering.size()), "/v1/payments?limit=1"));
    }
    return Future.join(looks)
        .compose(
            all -> {
              boolean trouble =
                  looks.stream().anyMatch(look -> !(look.result() instanceof Outcome.Answered));
              return trouble || rounds == 1 ? Future.succeededFuture() : warmUp(rounds - 1);
            });
  }

  private Future<Result> measured(Optional<PspAudit.Stats> before) {
    Stall stall = new Stall(patience.stallMillis());
    Caller.Shared shared =
        new Caller.Shared(vertx, wire, plan, patience, recorder, stall, new SplittableRandom());
    Instant startedAt = Instant.now();
    long began = System.nanoTime();
    recorder.sendingBegins(began);
    Storm storm = new Storm(shared);
    return storm
        .run()
        .compose(
            done -> {
              long ended = System.nanoTime();
              recorder.sendingEnds(ended);
              return audit(
                  before, new LoadReport.Sending(startedAt, ended - began, storm.notStarted()));
            });
  }

  private Future<Result> audit(Optional<PspAudit.Stats> before, LoadReport.Sending sending) {
    Future<Void> looked = psp.map(PspAudit::lookAtKeys).orElseGet(Future::succeededFuture);
    Audit audit = new Audit(plan, recorder.begun(), service, psp, recorder.keys(), findings);
    return looked
        .compose(done -> audit.run())
        .compose(
            tally ->
                compareWithPsp(before)
                    .map(
                        count ->
                            new Result.Finished(
                                new LoadReport(plan, recorder, tally, count, findings, sending))));
  }

  private Future<Optional<PspAudit.Count>> compareWithPsp(Optional<PspAudit.Stats> before) {
    return psp.isPresent() && before.isPresent()
        ? psp.get().compare(before.get(), recorder.begun())
        : Future.succeededFuture(Optional.empty());
  }

  private static Future<Result> couldNotRun(String why) {
    return Future.succeededFuture(new Result.CouldNotRun(why));
  }
}
