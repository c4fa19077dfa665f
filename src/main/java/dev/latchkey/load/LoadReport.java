package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
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
 * @param sendingNanos from the first request to the end of the last
 */
record LoadReport(
    LoadPlan plan,
    Recorder recorder,
    Audit.Tally tally,
    Optional<PspAudit.Count> psp,
    Findings findings,
    long sendingNanos) {

  /** Whether every key had exactly one effect and every request the same answer. */
  boolean exactlyOnce() {
    return findings.none();
  }

  private String verdict() {
    return exactlyOnce() ? "exactly-once" : "violated";
  }

  private double perSecond() {
    double seconds = Math.max(1, sendingNanos) / 1e9;
    return Math.round(recorder.succeeded() / seconds * 10) / 10.0;
  }

  /** For programs: the members are part of the public contract. */
  JsonObject json() {
    return new JsonObject()
        .put("verdict", verdict())
        .put("keys", plan.keys())
        .put("requests", plan.requests())
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
  }

  /** For people, the verdict last. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "%,d keys x %,d requests, at most %,d in flight, %d node%s",
            plan.keys(),
            plan.retries(),
            plan.concurrency(),
            plan.nodes().size(),
            plan.nodes().size() == 1 ? "" : "s"));
    lines.add(
        format(
            "  answered  %,d of %,d in %.1f s, %,.1f per second",
            recorder.succeeded(), plan.requests(), sendingNanos / 1e9, perSecond()));
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
    psp.ifPresent(
        count ->
            lines.add(
                format(
                    "  psp       %,d charges, at most %,d under one key",
                    count.charges(), count.maxPerKey())));
    findings.lines().forEach(line -> lines.add("  fault     " + line));
    lines.add("verdict: " + verdict());
    return lines;
  }

  private String troubles(String first) {
    StringBuilder seen = new StringBuilder("            ");
    recorder.statuses().forEach((status, count) -> seen.append(count + " x " + status + ", "));
    return seen + "" + recorder.broken() + " x no answer; the first was: " + first;
  }

  private static String latency(String name, Latency latency) {
    return format("  %-9s %,d  %s", name, latency.count(), latency.line()).stripTrailing();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
