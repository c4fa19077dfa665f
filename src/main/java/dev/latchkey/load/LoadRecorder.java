package dev.latchkey.load;

import dev.latchkey.load.KeyResponses.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of a run. Confined to one event loop, except {@link #finished()}, {@link
 * #succeeded()}, {@link #failures()} and {@link #sendingOver()}, which any thread may read.
 */
final class LoadRecorder {

  private final LoadPlan plan;
  private final Violations violations;
  private final KeyResponses keys = new KeyResponses();
  private final Timeline timeline = new Timeline();
  private final Map<Kind, Latency> latencies = new EnumMap<>(Kind.class);
  private final Latency wake = new Latency();
  private final Latency startDelay = new Latency();
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private final LongAdder finished = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private volatile boolean sendingOver;
  private boolean sent;
  private long firstSentNanos;
  private long endNanos;
  private long operations;
  private long notSent;
  private long lost;
  private long hangUps;
  private long retries;
  private long unanswered;
  private Optional<String> firstFailure = Optional.empty();

  LoadRecorder(LoadPlan plan, Violations violations) {
    this.plan = plan;
    this.violations = violations;
    for (Kind kind : Kind.values()) {
      latencies.put(kind, new Latency());
    }
  }

  /** The sending starts; the first request may still wait for its connection. */
  void sendingStarts(long nowNanos) {
    timeline.start(nowNanos);
    firstSentNanos = nowNanos;
  }

  void sent(long nowNanos) {
    if (!sent) {
      sent = true;
      firstSentNanos = nowNanos;
    }
  }

  void sendingEnds(long nowNanos) {
    timeline.end(nowNanos);
    endNanos = nowNanos;
    sendingOver = true;
  }

  /** Requests of the last key that a stopped run does not send. */
  void notSent(long requests) {
    notSent += requests;
  }

  void startedOperations(long more) {
    operations += more;
  }

  /** The delay of an operation after it was due. */
  void startDelay(long nanos) {
    startDelay.record(nanos);
  }

  void succeeded(int operation, LoadResponse response, long latencyNanos) {
    KeyResponses.Observation observed = keys.add(operation, response);
    latency(observed.kind()).record(latencyNanos);
    timeline.succeeded(observed.kind(), response.endNanos());
    observed.wakeNanos().ifPresent(wake::record);
    succeeded.increment();
    finished.increment();
  }

  /** A response other than 2xx, retryable or final. */
  void rejected(LoadResponse response) {
    statuses.merge(response.status(), 1L, Long::sum);
    (response.status() == 409 || response.status() == 422 ? conflicts : errors).increment();
    timeline.failed(response.endNanos());
    addFailure(describe(response));
  }

  /** A request without a response. */
  void lost(String reason) {
    lost++;
    errors.increment();
    timeline.failed(System.nanoTime());
    addFailure(reason);
  }

  private void addFailure(String reason) {
    if (firstFailure.isEmpty()) {
      firstFailure = Optional.of(reason);
    }
  }

  void hungUp() {
    hangUps++;
  }

  void retried() {
    retries++;
  }

  /** A final response other than 2xx. */
  void refused(int operation, LoadResponse response) {
    violations.add(Violation.REFUSED, plan.key(operation) + " (" + describe(response) + ")");
    finished.increment();
  }

  /** Requests, sent or not, that end without a final response. */
  void unanswered(int operation, long requests) {
    violations.add(Violation.UNANSWERED, requests, plan.key(operation));
    unanswered += requests;
    finished.add(requests);
  }

  private static String describe(LoadResponse response) {
    Object type = response.json().map(problem -> problem.getValue("type")).orElse("");
    return (response.status() + " " + DisplayText.of(type.toString())).strip();
  }

  KeyResponses keys() {
    return keys;
  }

  Latency latency(Kind kind) {
    return Objects.requireNonNull(latencies.get(kind));
  }

  /** From a key's first response to that of a parked duplicate. */
  Latency wake() {
    return wake;
  }

  Latency startDelay() {
    return startDelay;
  }

  Timeline timeline() {
    return timeline;
  }

  /** From the first request that was written to the end of the last. */
  long sendingNanos() {
    return endNanos - firstSentNanos;
  }

  int operations() {
    return Math.toIntExact(operations);
  }

  /** Requests of all operations, except those that a stopped run did not send. */
  long requests() {
    return operations * plan.retries() - notSent;
  }

  boolean sendingOver() {
    return sendingOver;
  }

  long finished() {
    return finished.sum();
  }

  long succeeded() {
    return succeeded.sum();
  }

  long failures() {
    return conflicts.sum() + errors.sum();
  }

  /** Responses with 409 or 422, retried or not. */
  long conflicts() {
    return conflicts.sum();
  }

  /** Other statuses than 2xx, 409 and 422, and requests without a response, retried or not. */
  long errors() {
    return errors.sum();
  }

  /** Requests without a response, hang-ups excluded. */
  long lost() {
    return lost;
  }

  long hangUps() {
    return hangUps;
  }

  long retries() {
    return retries;
  }

  long unanswered() {
    return unanswered;
  }

  /** Counts of statuses other than 2xx. */
  Map<Integer, Long> statuses() {
    return statuses;
  }

  Optional<String> firstFailure() {
    return firstFailure;
  }
}
