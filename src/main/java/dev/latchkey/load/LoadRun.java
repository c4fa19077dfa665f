package dev.latchkey.load;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run from the first look at the nodes to the report, on one event loop: nothing it keeps is
 * shared with another thread, save the counters that {@link LoadRecorder} says.
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

  /** What a run takes besides its charge. */
  private static final long SETTLE_MILLIS = 500;

  private final Vertx vertx;
  private final LoadPlan plan;
  private final Patience patience;
  private final Findings findings = new Findings();
  private final LoadRecorder recorder;
  private final HttpSender sender;
  private final List<Reader> nodes;
  private final Optional<PspAudit> psp;
  private final Context context;
  private volatile boolean stopped;
  private @Nullable Storm storm;

  LoadRun(Vertx vertx, LoadPlan plan, Patience patience) {
    this.vertx = vertx;
    this.plan = plan;
    this.patience = patience;
    this.context = vertx.getOrCreateContext();
    this.recorder = new LoadRecorder(plan, findings);
    this.sender = new HttpSender(vertx, plan.concurrency(), patience);
    this.nodes =
        plan.nodes().stream()
            .map(node -> new Reader(vertx, sender, node, plan.apiKey(), patience))
            .toList();
    this.psp =
        plan.psp()
            .map(url -> new Reader(vertx, sender, url, Optional.empty(), patience))
            .map(reader -> new PspAudit(reader, plan, findings));
  }

  /** The counters, for a progress line. */
  LoadRecorder recorder() {
    return recorder;
  }

  /** Runs; fails only when the load generator itself is broken. */
  Future<Result> start() {
    Promise<Result> result = Promise.promise();
    context.exceptionHandler(result::tryFail);
    context.runOnContext(
        v ->
            new Preflight(plan, nodes, psp)
                .run()
                .compose(this::cleared)
                .onSuccess(result::tryComplete)
                .onFailure(result::tryFail));
    return result.future();
  }

  /**
   * Has nothing more be sent; what is in flight is finished, and audited. May be called from any
   * thread, at any time.
   *
   * @return done when nothing new will be sent
   */
  Future<Void> stop() {
    stopped = true;
    Promise<Void> taken = Promise.promise();
    context.runOnContext(
        v -> {
          if (storm != null) {
            storm.stop();
          }
          taken.complete();
        });
    return taken.future();
  }

  private Future<Result> cleared(Preflight.Clearance clearance) {
    return clearance instanceof Preflight.Clearance.Granted granted
        ? measured(granted.before())
        : Future.succeededFuture(
            new Result.CouldNotRun(((Preflight.Clearance.Refused) clearance).why()));
  }

  private Future<Result> measured(Optional<PspAudit.Stats> before) {
    if (stopped) {
      return Future.succeededFuture(new Result.CouldNotRun("stopped before anything was sent"));
    }
    Stall stall = new Stall(patience.stallMillis());
    RetryingClient.Shared shared =
        new RetryingClient.Shared(
            vertx, sender, plan, patience, recorder, stall, new SplittableRandom());
    Instant startedAt = Instant.now();
    recorder.sendingBegins(System.nanoTime());
    Storm sending = new Storm(shared);
    storm = sending;
    return sending
        .run()
        .compose(
            done -> {
              recorder.sendingEnds(System.nanoTime());
              return audit(
                  before,
                  new LoadReport.Sending(
                      startedAt, recorder.sendingNanos(), sending.notStarted(), sending.stopped()));
            });
  }

  private Future<Result> audit(Optional<PspAudit.Stats> before, LoadReport.Sending sending) {
    Future<Void> looked = psp.map(PspAudit::lookAtKeys).orElseGet(Future::succeededFuture);
    Listing listing = new Listing(nodes, patience);
    Audit audit = new Audit(plan, recorder.begun(), listing, psp, recorder.keys(), findings);
    return looked
        .compose(done -> settled())
        .compose(done -> audit.run())
        .compose(
            tally ->
                compareWithPsp(before)
                    .map(
                        count ->
                            new Result.Finished(
                                new LoadReport(plan, recorder, tally, count, findings, sending))));
  }

  /** An attempt that had no answer may still be running, and its effect is to be seen. */
  private Future<?> settled() {
    return recorder.hangUps() + recorder.broken() == 0
        ? Future.succeededFuture()
        : vertx.timer(plan.slowMillis() + SETTLE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Future<Optional<PspAudit.Count>> compareWithPsp(Optional<PspAudit.Stats> before) {
    return psp.isPresent() && before.isPresent()
        ? psp.get().compare(before.get(), recorder.begun())
        : Future.succeededFuture(Optional.empty());
  }
}
