package dev.latchkey.load;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what happens while requests are sent. Used from one event loop; {@link #ended()}, {@link
 * #succeeded()}, {@link #troubles()} and {@link #sendingOver()} may be read from any thread.
 */
final class LoadRecorder {
  private final LoadPlan plan;
  private final Findings findings;
  private final KeyAnswers keys = new KeyAnswers();
  private final Timeline timeline = new Timeline();
  private final Latency first = new Latency();
  private final Latency parked = new Latency();
  private final Latency replayed = new Latency();
  private final Latency wake = new Latency();
  private final Latency late = new Latency();
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private final LongAdder ended = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private volatile boolean sendingOver;
  private boolean sent;
  private long firstSentNanos;
  private long lastEndedNanos;
  private long begun;
  private long notSent;
  private long broken;
  private long hangUps;
  private long retries;
  private long unanswered;
  private Optional<String> firstTrouble = Optional.empty();

  LoadRecorder(LoadPlan plan, Findings findings) {
    this.plan = plan;
    this.findings = findings;
  }

  /** The first request is about to be made, which may take a while. */
  void sendingBegins(long nowNanos) {
    timeline.begin(nowNanos);
    firstSentNanos = nowNanos;
  }

  /** A request was written. */
  void sent(long nowNanos) {
    if (!sent) {
      sent = true;
      firstSentNanos = nowNanos;
    }
  }

  /** The last request is over. */
  void sendingEnds(long nowNanos) {
    timeline.end(nowNanos);
    lastEndedNanos = nowNanos;
    sendingOver = true;
  }

  /** From the first request that was written to the end of the last. */
  long sendingNanos() {
    return lastEndedNanos - firstSentNanos;
  }

  /** So many requests of the last key will not be sent, since the run was stopped. */
  void notSent(long requests) {
    notSent += requests;
  }

  /** So many more keys are in play. */
  void began(long operations) {
    begun += operations;
  }

  /** An operation began after it was meant to. */
  void startedLate(long nanos) {
    late.record(nanos);
  }

  /**
   * A request got its 2xx.
   *
   * @param operation whose
   * @param answer the attempt that was answered
   * @param latencyNanos as its caller counts it
   */
  void succeeded(int operation, AttemptEnd.Answered answer, long latencyNanos) {
    KeyAnswers.Noted noted = keys.note(operation, answer);
    Latency latency =
        switch (noted.kind()) {
          case FIRST -> first;
          case PARKED -> parked;
          case REPLAYED -> replayed;
        };
    latency.record(latencyNanos);
    timeline.answered(noted.kind(), answer.answeredNanos());
    noted.wakeNanos().ifPresent(wake::record);
    succeeded.increment();
    ended.increment();
  }

  /** An attempt was told something else than 2xx, for now or for good. */
  void turnedDown(AttemptEnd.Answered answer) {
    statuses.merge(answer.status(), 1L, Long::sum);
    (answer.status() == 409 || answer.status() == 422 ? conflicts : errors).increment();
    timeline.trouble(answer.answeredNanos());
    if (firstTrouble.isEmpty()) {
      firstTrouble = Optional.of(describe(answer));
    }
  }

  /** An attempt had no answer. */
  void broken(AttemptEnd.Broken end) {
    broken++;
    errors.increment();
    timeline.trouble(System.nanoTime());
    if (firstTrouble.isEmpty()) {
      firstTrouble = Optional.of(end.why());
    }
  }

  /** A caller hung up on an attempt. */
  void hungUp() {
    hangUps++;
  }

  /** An attempt follows one that was turned down or broken. */
  void retried() {
    retries++;
  }

  /** A request ended with an answer that is neither a success nor worth a retry. */
  void refused(int operation, AttemptEnd.Answered answer) {
    findings.add(Fault.REFUSED, plan.key(operation) + " (" + describe(answer) + ")");
    ended.increment();
  }

  /** Requests of a key, or of all that were not sent yet, ended without a final answer. */
  void unanswered(int operation, long requests) {
    findings.add(Fault.UNANSWERED, requests, plan.key(operation));
    unanswered += requests;
    ended.add(requests);
  }

  private static String describe(AttemptEnd.Answered answer) {
    String type =
        answer.json().map(problem -> problem.getValue("type")).map(String::valueOf).orElse("");
    return (answer.status() + " " + Shown.text(type)).strip();
  }

  KeyAnswers keys() {
    return keys;
  }

  Latency first() {
    return first;
  }

  Latency parked() {
    return parked;
  }

  Latency replayed() {
    return replayed;
  }

  Latency wake() {
    return wake;
  }

  /** How long after they were meant to, operations of the open loop began. */
  Latency late() {
    return late;
  }

  Timeline timeline() {
    return timeline;
  }

  /** Operations whose requests were sent, or were to be. */
  int begun() {
    return Math.toIntExact(begun);
  }

  /** Requests of all operations that begun, save those that a stopped run did not send. */
  long requests() {
    return begun * plan.retries() - notSent;
  }

  /** Whether only the audit is still to come. */
  boolean sendingOver() {
    return sendingOver;
  }

  /** Requests that are over, however they ended. */
  long ended() {
    return ended.sum();
  }

  /** Requests that got a 2xx. */
  long succeeded() {
    return succeeded.sum();
  }

  /** Attempts turned down or broken. */
  long troubles() {
    return conflicts.sum() + errors.sum();
  }

  /** Attempts answered 409 or 422, retried or not. */
  long conflicts() {
    return conflicts.sum();
  }

  /** Attempts broken or answered with any other status than 2xx, retried or not. */
  long errors() {
    return errors.sum();
  }

  /** Attempts without an answer, those that hung up not counted. */
  long broken() {
    return broken;
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

  /** Other statuses than 2xx and how often each was seen. */
  Map<Integer, Long> statuses() {
    return statuses;
  }

  /** What the first attempt that was turned down or broken was told. */
  Optional<String> firstTrouble() {
    return firstTrouble;
  }
}
