package dev.latchkey.load;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a run showed.
 *
 * @param plan what was sent
 * @param recorder what the callers saw
 * @param tally what the service holds
 * @param psp what the PSP counted, if it was asked
 * @param findings what is wrong
 * @param sending how the sending went
 */
record LoadReport(
    LoadPlan plan,
    LoadRecorder recorder,
    Audit.Tally tally,
    Optional<PspAudit.Count> psp,
    Findings findings,
    Sending sending) {

  /**
   * The sending, without warm-up and audit.
   *
   * @param startedAt by this machine's clock
   * @param nanos from the first request that was written to the end of the last
   * @param notStarted operations of the open loop that fell due and were never started
   * @param stopped whether a signal ended it before all was sent
   */
  record Sending(Instant startedAt, long nanos, long notStarted, boolean stopped) {}

  /** Whether every key had exactly one effect and every request the same answer. */
  boolean exactlyOnce() {
    return findings.none();
  }

  String verdict() {
    return exactlyOnce() ? "exactly-once" : "violated";
  }

  /** Requests that got their 2xx, a second of the sending. */
  double perSecond() {
    double seconds = Math.max(1, sending.nanos()) / 1e9;
    return Math.round(recorder.succeeded() / seconds * 10) / 10.0;
  }

  /**
   * For programs: the members are part of the public contract; the open loop adds {@code
   * not_started}, and nodes that did not answer at the audit {@code nodes_not_audited}.
   */
  JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put("verdict", verdict())
            .put("keys", recorder.begun())
            .put("requests", recorder.requests())
            .put("executed", tally.payments())
            .put("parked", recorder.parked().count())
            .put("replayed", recorder.replayed().count())
            .put("conflicts", recorder.conflicts())
            .put("errors", recorder.errors())
            .put("unanswered", recorder.unanswered())
            .put("max_effects_per_key", tally.maxEffectsPerKey())
            .put("keys_with_differing_answers", recorder.keys().differing())
            .put("throughput_per_second", perSecond())
            .put(
                "latency_ms",
                new JsonObject()
                    .put("first", recorder.first().quartet())
                    .put("parked", recorder.parked().quartet())
                    .put("replayed", recorder.replayed().quartet()))
            .put("wake_ms", recorder.wake().trio());
    if (!tally.missed().isEmpty()) {
      List<String> urls = tally.missed().stream().map(Listing.Missed::url).toList();
      json.put("nodes_not_audited", new JsonArray(urls));
    }
    if (plan.pace().open()) {
      json.put("not_started", sending.notStarted());
    }
    return json;
  }

  /** For people, the verdict last. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "%,d keys x %,d requests, at most %,d in flight, %d node%s",
            recorder.begun(),
            plan.retries(),
            plan.concurrency(),
            plan.nodes().size(),
            plan.nodes().size() == 1 ? "" : "s"));
    lines.add(
        format(
            "  answered  %,d of %,d in %.1f s, %,.1f per second",
            recorder.succeeded(), recorder.requests(), sending.nanos() / 1e9, perSecond()));
    if (sending.stopped()) {
      lines.add("  stopped   by a signal; what had begun was finished");
    }
    plan.pace().perSecond().ifPresent(rate -> lines.add(openLoop(rate)));
    lines.add(latency("first", recorder.first()));
    lines.add(latency("parked", recorder.parked()));
    lines.add(latency("replayed", recorder.replayed()));
    lines.add(latency("woken", recorder.wake()) + " after the first answer");
    lines.add(
        format(
            "  troubles  %,d conflicts, %,d errors, %,d unanswered; %,d retries, %,d hang-ups",
            recorder.conflicts(),
            recorder.errors(),
            recorder.unanswered(),
            recorder.retries(),
            recorder.hangUps()));
    recorder.firstTrouble().ifPresent(first -> lines.add(troubles(first)));
    lines.add(
        format(
            "  audit     %,d payments, at most %,d effects per key, %,d keys with differing"
                + " answers, %,d lost answers",
            tally.payments(),
            tally.maxEffectsPerKey(),
            recorder.keys().differing(),
            findings.count(Fault.ANSWER_LOST)));
    tally.missed().forEach(node -> lines.add(missed(node)));
    psp.ifPresent(
        count ->
            lines.add(
                format(
                    "  psp       %,d charges, at most %,d under one key%s",
                    count.charges(),
                    count.maxPerKey(),
                    count.suppressed().stream()
                        .mapToObj(n -> format(", %,d repeated calls answered again", n))
                        .findFirst()
                        .orElse(""))));
    findings.lines().forEach(line -> lines.add("  fault     " + line));
    lines.add("verdict: " + verdict());
    return lines;
  }

  private String openLoop(double rate) {
    return format(
        "  open loop %,.1f keys per second due, %,d not started; begun p99 %.1f ms, max %.1f ms"
            + " late",
        rate, sending.notStarted(), recorder.late().millis(99), recorder.late().millis(100));
  }

  private String troubles(String first) {
    StringBuilder seen = new StringBuilder("            ");
    recorder.statuses().forEach((status, count) -> seen.append(count + " x " + status + ", "));
    return seen + "" + recorder.broken() + " x no answer; the first was: " + first;
  }

  private static String missed(Listing.Missed node) {
    return format(
        "  not seen  what %s alone holds under %,d keys: it did not answer (%s)",
        node.url(), node.keys(), node.why());
  }

  private static String latency(String name, Latency latency) {
    return format("  %-9s %,d  %s", name, latency.count(), latency.line()).stripTrailing();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
