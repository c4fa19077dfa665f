package dev.latchkey.load;

import dev.latchkey.load.KeyResponses.Kind;
import dev.latchkey.load.LoadRecorder.Count;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The result of a run; {@code psp} is present if the PSP was audited. */
record LoadReport(
    LoadPlan plan,
    LoadRecorder recorder,
    Audit.Tally tally,
    Optional<PspAudit.Counts> psp,
    Violations violations,
    Sending sending) {

  /** The sending, without warm-up and audit; {@code stopped} if a signal ended it early. */
  record Sending(Instant startedAt, long nanos, long notStarted, boolean stopped) {}

  boolean exactlyOnce() {
    return violations.none();
  }

  String verdict() {
    return exactlyOnce() ? "exactly-once" : "violated";
  }

  /** Returns 2xx responses per second. */
  double perSecond() {
    double seconds = Math.max(1, sending.nanos()) / 1e9;
    return Math.round(recorder.count(Count.SUCCEEDED) / seconds * 10) / 10.0;
  }

  /**
   * Returns the result for programs. The open loop adds {@code not_started}, and nodes that were
   * silent during the audit add {@code nodes_not_audited}.
   */
  JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put("verdict", verdict())
            .put("keys", recorder.operations())
            .put("requests", recorder.requests())
            .put("executed", tally.payments())
            .put("parked", recorder.latency(Kind.PARKED).count())
            .put("replayed", recorder.latency(Kind.REPLAYED).count())
            .put("conflicts", recorder.count(Count.CONFLICTS))
            .put("errors", recorder.count(Count.ERRORS))
            .put("unanswered", recorder.count(Count.UNANSWERED))
            .put("max_effects_per_key", tally.maxEffectsPerKey())
            .put("keys_with_differing_answers", recorder.keys.differing())
            .put("throughput_per_second", perSecond())
            .put(
                "latency_ms",
                new JsonObject()
                    .put("first", recorder.latency(Kind.FIRST).quartet())
                    .put("parked", recorder.latency(Kind.PARKED).quartet())
                    .put("replayed", recorder.latency(Kind.REPLAYED).quartet()))
            .put("wake_ms", recorder.wake.trio());
    if (!tally.silentNodes().isEmpty()) {
      List<String> urls = tally.silentNodes().stream().map(PaymentLookup.SilentNode::url).toList();
      json.put("nodes_not_audited", new JsonArray(urls));
    }
    if (plan.arrivals().open()) {
      json.put("not_started", sending.notStarted());
    }
    return json;
  }

  /** Returns the result as text, the verdict last. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "%,d keys x %,d requests, at most %,d in flight, %d node%s",
            recorder.operations(),
            plan.retries(),
            plan.concurrency(),
            plan.nodes().size(),
            plan.nodes().size() == 1 ? "" : "s"));
    lines.add(
        format(
            "  succeeded %,d of %,d in %.1f s, %,.1f per second",
            recorder.count(Count.SUCCEEDED),
            recorder.requests(),
            sending.nanos() / 1e9,
            perSecond()));
    if (sending.stopped()) {
      lines.add("  stopped   by a signal; started operations were finished");
    }
    plan.arrivals().perSecond().ifPresent(rate -> lines.add(openLoop(rate)));
    lines.add(latency("first", recorder.latency(Kind.FIRST)));
    lines.add(latency("parked", recorder.latency(Kind.PARKED)));
    lines.add(latency("replayed", recorder.latency(Kind.REPLAYED)));
    lines.add(latency("woken", recorder.wake) + " after the first response");
    lines.add(
        format(
            "  failures  %,d conflicts, %,d errors, %,d unanswered; %,d retries, %,d hang-ups",
            recorder.count(Count.CONFLICTS),
            recorder.count(Count.ERRORS),
            recorder.count(Count.UNANSWERED),
            recorder.count(Count.RETRIES),
            recorder.count(Count.HANG_UPS)));
    recorder.firstFailure().ifPresent(first -> lines.add(failures(first)));
    lines.add(
        format(
            "  audit     %,d payments, at most %,d effects per key, %,d keys with differing"
                + " responses, %,d lost responses",
            tally.payments(),
            tally.maxEffectsPerKey(),
            recorder.keys.differing(),
            violations.count(Violation.RESPONSE_LOST)));
    tally.silentNodes().forEach(node -> lines.add(silent(node)));
    psp.ifPresent(
        count ->
            lines.add(
                format(
                    "  psp       %,d charges, at most %,d under one key, %,d suppressed duplicates",
                    count.charges(), count.maxPerKey(), count.suppressed())));
    violations.lines().forEach(line -> lines.add("  violation " + line));
    lines.add("verdict: " + verdict());
    return lines;
  }

  private String openLoop(double rate) {
    return format(
        "  open loop %,.1f keys per second due, %,d not started; start delay p99 %.1f ms, max"
            + " %.1f ms",
        rate,
        sending.notStarted(),
        recorder.startDelay.millis(99),
        recorder.startDelay.millis(100));
  }

  private String failures(String first) {
    StringBuilder seen = new StringBuilder("            ");
    recorder.statuses.forEach((status, count) -> seen.append(count + " x " + status + ", "));
    return seen + "" + recorder.count(Count.LOST) + " x no response; the first: " + first;
  }

  private static String silent(PaymentLookup.SilentNode node) {
    return format(
        "  not seen  payments that only %s lists, for %,d keys: no response (%s)",
        node.url(), node.keys(), node.reason());
  }

  private static String latency(String name, Latency latency) {
    return format("  %-9s %,d  %s", name, latency.count(), latency.line()).stripTrailing();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
