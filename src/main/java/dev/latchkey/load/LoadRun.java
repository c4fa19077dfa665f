package dev.latchkey.load;

import dev.latchkey.load.LoadRecorder.Count;
import dev.latchkey.net.BoundedHttpClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run, from the checks of the nodes to the report, confined to one event loop. Other threads
 * may only read the counters that {@link LoadRecorder} names.
 */
final class LoadRun {

  /** The end of a run. */
  sealed interface Result {
    /** It ran and was audited. */
    record Finished(LoadReport report) implements Result {}

    /** Nothing was sent; the reason is one line. */
    record CouldNotRun(String reason) implements Result {}
  }

  /** Duration of an attempt without its charge. */
  private static final long SETTLE_MILLIS = 500;

  private static final int MAX_RESPONSE_BYTES = 4 << 20;

  private final Vertx vertx;
  private final LoadPlan plan;
  private final RetryPolicy policy;
  private final Violations violations = new Violations();
  private final LoadRecorder recorder;
  private final BoundedHttpClient client;
  private final List<NodeReader> nodes;
  private final Optional<PspAudit> psp;
  private final Context context;
  private volatile boolean stopped;
  private @Nullable LoadGenerator generator;

  LoadRun(Vertx vertx, LoadPlan plan, RetryPolicy policy) {
    this.vertx = vertx;
    this.plan = plan;
    this.policy = policy;
    this.context = vertx.getOrCreateContext();
    this.recorder = new LoadRecorder(plan, violations);
    this.client = client(vertx, plan, policy);
    this.nodes =
        plan.nodes().stream()
            .map(node -> new NodeReader(vertx, client, node, plan.apiKey(), policy))
            .toList();
    this.psp =
        plan.psp()
            .map(url -> new NodeReader(vertx, client, url, Optional.empty(), policy))
            .map(reader -> new PspAudit(reader, plan, violations));
  }

  private static BoundedHttpClient client(Vertx vertx, LoadPlan plan, RetryPolicy policy) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_1_1)
            .setConnectTimeout((int) policy.connectMillis());
    PoolOptions pool =
        new PoolOptions().setHttp1MaxSize(plan.concurrency()).setMaxWaitQueueSize(-1);
    return new BoundedHttpClient(vertx, options, pool, MAX_RESPONSE_BYTES);
  }

  /** Returns the counters for a progress line. */
  LoadRecorder recorder() {
    return recorder;
  }

  /** Runs; fails only on a defect of the load generator. */
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
   * Stops new requests; those in flight are finished and audited. Safe on any thread at any time.
   *
   * @return completes when nothing new will be sent
   */
  Future<Void> stop() {
    stopped = true;
    Promise<Void> taken = Promise.promise();
    context.runOnContext(
        v -> {
          if (generator != null) {
            generator.stop();
          }
          taken.complete();
        });
    return taken.future();
  }

  private Future<Result> cleared(Preflight.Clearance clearance) {
    return clearance instanceof Preflight.Clearance.Granted granted
        ? measured(granted.before())
        : Future.succeededFuture(
            new Result.CouldNotRun(((Preflight.Clearance.Refused) clearance).reason()));
  }

  private Future<Result> measured(Optional<PspAudit.Counts> before) {
    if (stopped) {
      return Future.succeededFuture(new Result.CouldNotRun("stopped before anything was sent"));
    }
    StallDetector stall = new StallDetector(policy.stallMillis());
    RetryingClient.Shared shared =
        new RetryingClient.Shared(
            vertx, client, plan, policy, recorder, stall, new SplittableRandom());
    Instant startedAt = Instant.now();
    recorder.sendingStarts(System.nanoTime());
    LoadGenerator sending = new LoadGenerator(shared);
    generator = sending;
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

  private Future<Result> audit(Optional<PspAudit.Counts> before, LoadReport.Sending sending) {
    Future<Void> started = psp.map(PspAudit::start).orElseGet(Future::succeededFuture);
    PaymentLookup payments = new PaymentLookup(nodes, policy);
    Audit audit = new Audit(plan, recorder.operations(), payments, psp, recorder.keys, violations);
    return started
        .compose(done -> settled())
        .compose(done -> audit.run())
        .compose(
            tally ->
                compareWithPsp(before)
                    .map(
                        count ->
                            new Result.Finished(
                                new LoadReport(
                                    plan, recorder, tally, count, violations, sending))));
  }

  /** Waits for attempts without a response, which may still be running. */
  private Future<?> settled() {
    return recorder.count(Count.HANG_UPS) + recorder.count(Count.LOST) == 0
        ? Future.succeededFuture()
        : vertx.timer(plan.slowMillis() + SETTLE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Future<Optional<PspAudit.Counts>> compareWithPsp(Optional<PspAudit.Counts> before) {
    return psp.isPresent() && before.isPresent()
        ? psp.get().compare(before.get(), recorder.operations())
        : Future.succeededFuture(Optional.empty());
  }
}
