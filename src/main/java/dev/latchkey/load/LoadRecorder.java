package dev.latchkey.load;

import dev.latchkey.load.KeyResponses.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of a run. Confined to one event loop, except {@link #count} and {@link
 * #sendingOver()}, which any thread may call.
 */
final class LoadRecorder {

  /** The counted events. */
  enum Count {
    /** Requests that are over. */
    FINISHED,
    /** Requests with a 2xx response. */
    SUCCEEDED,
    /** Responses with 409 or 422, retried or not. */
    CONFLICTS,
    /** Other statuses than 2xx, 409 and 422, and {@link #LOST}, retried or not. */
    ERRORS,
    /** Requests without a response, hang-ups excluded. */
    LOST,
    /** Callers that disconnected on purpose. */
    HANG_UPS,
    /** Requests sent again. */
    RETRIES,
    /** Requests, sent or not, that end without a final response. */
    UNANSWERED
  }

  private final LoadPlan plan;
  private final Violations violations;
  final KeyResponses keys = new KeyResponses();
  final Timeline timeline = new Timeline();
  private final Map<Kind, Latency> latencies = new EnumMap<>(Kind.class);

  /** From a key's first response to that of a parked duplicate. */
  final Latency wake = new Latency();

  /** The delay of operations after they were due. */
  final Latency startDelay = new Latency();

  /** Counts of statuses other than 2xx. */
  final Map<Integer, Long> statuses = new TreeMap<>();

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
  private volatile boolean sendingOver;
  private boolean sent;
  private long firstSentNanos;
  private long endNanos;
  private long operations;
  private long notSent;
  private Optional<String> firstFailure = Optional.empty();

  LoadRecorder(LoadPlan plan, Violations violations) {
    this.plan = plan;
    this.violations = violations;
    for (Kind kind : Kind.values()) {
      latencies.put(kind, new Latency());
    }
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
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

  boolean sendingOver() {
    return sendingOver;
  }

  /** Requests of the last key that a stopped run does not send. */
  void notSent(long requests) {
    notSent += requests;
  }

  void startedOperations(long more) {
    operations += more;
  }

  void succeeded(int operation, LoadResponse response, long latencyNanos) {
    KeyResponses.Observation observed = keys.add(operation, response);
    latency(observed.kind()).record(latencyNanos);
    timeline.succeeded(observed.kind(), response.endNanos());
    observed.wakeNanos().ifPresent(wake::record);
    add(Count.SUCCEEDED, 1);
    add(Count.FINISHED, 1);
  }

  /** A response other than 2xx, retryable or final. */
  void rejected(LoadResponse response) {
    statuses.merge(response.status(), 1L, Long::sum);
    boolean conflict = response.status() == 409 || response.status() == 422;
    failed(conflict ? Count.CONFLICTS : Count.ERRORS, describe(response), response.endNanos());
  }

  /** A request without a response. */
  void lost(String reason) {
    add(Count.LOST, 1);
    failed(Count.ERRORS, reason, System.nanoTime());
  }

  private void failed(Count count, String reason, long nowNanos) {
    add(count, 1);
    timeline.failed(nowNanos);
    firstFailure = firstFailure.or(() -> Optional.of(reason));
  }

  /** A final response other than 2xx. */
  void refused(int operation, LoadResponse response) {
    violations.add(Violation.REFUSED, plan.key(operation) + " (" + describe(response) + ")");
    add(Count.FINISHED, 1);
  }

  void unanswered(int operation, long requests) {
    violations.add(Violation.UNANSWERED, requests, plan.key(operation));
    add(Count.UNANSWERED, requests);
    add(Count.FINISHED, requests);
  }

  private static String describe(LoadResponse response) {
    Object type = response.json().map(problem -> problem.getValue("type")).orElse("");
    return (response.status() + " " + DisplayText.of(type.toString())).strip();
  }

  void add(Count count, long more) {
    Objects.requireNonNull(counts.get(count)).add(more);
  }

  long count(Count count) {
    return Objects.requireNonNull(counts.get(count)).sum();
  }

  Latency latency(Kind kind) {
    return Objects.requireNonNull(latencies.get(kind));
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

  Optional<String> firstFailure() {
    return firstFailure;
  }
}
