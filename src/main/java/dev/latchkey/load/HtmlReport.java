package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The report as one page that fetches nothing: its own style, script and data, and the chart
 * library. All that comes from the command line or the service is escaped.
 */
final class HtmlReport {

  /** The version of the library on the class path. */
  private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/";

  private static final Pattern PLACEHOLDER = Pattern.compile("@@([a-zA-Z]+)@@");
  private static final double[] PERCENTILES = {
    0, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.99, 100
  };

  private static final String KEPT =
      "Every key had exactly one effect, and all its answers were the same.";
  private static final String BROKEN = "The service did not keep its promise:";

  private final LoadReport report;
  private final LoadPlan plan;
  private final LoadRecorder recorder;

  private HtmlReport(LoadReport report) {
    this.report = report;
    this.plan = report.plan();
    this.recorder = report.recorder();
  }

  /**
   * Renders.
   *
   * @param report of a run
   * @return the page, for UTF-8
   */
  static String of(LoadReport report) {
    return new HtmlReport(report).page();
  }

  private String page() {
    Map<String, String> parts =
        Map.of(
            "verdict", Html.escape(report.verdict()),
            "verdictText", Html.escape(report.exactlyOnce() ? KEPT : BROKEN),
            "startedAt", report.sending().startedAt().truncatedTo(ChronoUnit.SECONDS).toString(),
            "findings", Html.items(report.findings().lines()),
            "facts", Html.terms(facts()),
            "settings", Html.terms(settings()),
            "latencies", latencies(),
            "summary", Html.escape(String.join("\n", report.lines())),
            "data", Html.json(data()),
            "libraries", libraries());
    Matcher matcher = PLACEHOLDER.matcher(resource("/dev/latchkey/load/report.html"));
    return matcher.replaceAll(
        found -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(found.group(1)))));
  }

  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Throughput", format("%,.1f requests per second", report.perSecond()));
    facts.put("Answered", format("%,d of %,d", recorder.succeeded(), recorder.requests()));
    facts.put("Keys", format("%,d", recorder.begun()));
    facts.put("Payments", format("%,d", report.tally().payments()));
    facts.put("Most effects of a key", format("%,d", report.tally().maxEffectsPerKey()));
    facts.put("Keys with differing answers", format("%,d", recorder.keys().differing()));
    facts.put("Lost answers", format("%,d", report.findings().count(Fault.ANSWER_LOST)));
    facts.put("Unanswered", format("%,d", recorder.unanswered()));
    facts.put("Conflicts, errors", format("%,d, %,d", recorder.conflicts(), recorder.errors()));
    report
        .psp()
        .ifPresent(
            count ->
                facts.put(
                    "Charges by the PSP's count",
                    format("%,d, at most %,d under one key", count.charges(), count.maxPerKey())));
    return facts;
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    String nodes = plan.nodes().stream().map(BaseUrl::url).collect(Collectors.joining(", "));
    settings.put("Nodes", nodes);
    settings.put("PSP", plan.psp().map(BaseUrl::url).orElse("not asked"));
    settings.put("Requests of a key", format("%,d", plan.retries()));
    settings.put("Most in flight", format("%,d", plan.concurrency()));
    settings.put("The PSP takes", format("%,d ms", plan.slowMillis()));
    settings.put("Callers that hang up", format("%.0f %%", plan.hangUpShare() * 100));
    settings.put(
        "Pace",
        plan.pace().open()
            ? format(
                "open loop, %,.1f keys per second; %,d not started",
                plan.pace().perSecond().getAsDouble(), report.sending().notStarted())
            : "closed loop");
    settings.put("Sent for", format("%.1f s", report.sending().nanos() / 1e9));
    settings.put("Keys begin with", plan.keyPrefix());
    return settings;
  }

  private String latencies() {
    return row("First runs", recorder.first())
        + row("Parked", recorder.parked())
        + row("Replayed", recorder.replayed())
        + row("Woken after the first answer", recorder.wake());
  }

  private static String row(String name, Latency latency) {
    StringBuilder cells = new StringBuilder("<tr><th scope=\"row\">" + name + "</th>");
    cells.append(format("<td>%,d</td>", latency.count()));
    for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
      cells.append(
          latency.count() == 0
              ? "<td></td>"
              : format("<td>%,.1f</td>", latency.millis(percentile)));
    }
    return cells.append("</tr>\n").toString();
  }

  private JsonObject data() {
    List<Timeline.Point> points = recorder.timeline().points();
    JsonArray labels = new JsonArray();
    for (double percentile : PERCENTILES) {
      labels.add("p" + Double.toString(percentile).replaceAll("\\.0$", ""));
    }
    return new JsonObject()
        .put("seconds", line(points, Timeline.Point::endSeconds))
        .put("first", line(points, Timeline.Point::first))
        .put("parked", line(points, Timeline.Point::parked))
        .put("replayed", line(points, Timeline.Point::replayed))
        .put("troubles", line(points, Timeline.Point::troubles))
        .put("percentiles", labels)
        .put("firstMillis", curve(recorder.first()))
        .put("parkedMillis", curve(recorder.parked()))
        .put("replayedMillis", curve(recorder.replayed()))
        .put("wakeMillis", curve(recorder.wake()));
  }

  private static JsonArray line(
      List<Timeline.Point> points, ToDoubleFunction<Timeline.Point> value) {
    JsonArray line = new JsonArray();
    points.forEach(point -> line.add(Math.round(value.applyAsDouble(point) * 100) / 100.0));
    return line;
  }

  private static JsonArray curve(Latency latency) {
    JsonArray curve = new JsonArray();
    for (double percentile : PERCENTILES) {
      if (latency.count() > 0) {
        curve.add(latency.millis(percentile));
      }
    }
    return curve;
  }

  private static String libraries() {
    String script = resource(CHARTS + "dist/chart.umd.min.js");
    return "<script>\n"
        + script.replaceAll("(?m)^//# sourceMappingURL=.*$", "").strip()
        + "\n</script>\n<details><summary>Licence of Chart.js</summary><pre>"
        + Html.escape(resource(CHARTS + "LICENSE.md"))
        + "</pre></details>";
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the jar is damaged at " + name, e);
    }
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
