package dev.latchkey.load;

import dev.latchkey.load.KeyResponses.Kind;
import dev.latchkey.net.BaseUrl;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The report as one self-contained page: a template, the chart library, and the data as JSON, which
 * the page's script renders as text.
 */
final class HtmlReport {

  /** Contains the version of the library on the class path. */
  private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/";

  private static final double[] CURVE = {0, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.99, 100};
  private static final double[] TABLE = {50, 90, 99, 99.9, 100};

  private final LoadReport report;
  private final LoadPlan plan;
  private final LoadRecorder recorder;

  private HtmlReport(LoadReport report) {
    this.report = report;
    this.plan = report.plan();
    this.recorder = report.recorder();
  }

  /** Returns the page of a report, for UTF-8. */
  static String of(LoadReport report) {
    // A script element ends at the first "</", so the data has no "<".
    String data = new HtmlReport(report).data().encode().replace("<", "\\u003c");
    String script = resource(CHARTS + "dist/chart.umd.min.js");
    return resource("/dev/latchkey/load/report.html")
        .replace("@@verdict@@", report.verdict())
        .replace("@@library@@", script.replaceAll("(?m)^//# sourceMappingURL=.*$", "").strip())
        .replace("@@licence@@", resource(CHARTS + "LICENSE.md").replace("<", "&lt;"))
        .replace("@@data@@", data);
  }

  private JsonObject data() {
    return new JsonObject()
        .put("verdict", report.verdict())
        .put("startedAt", report.sending().startedAt().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("violations", new JsonArray(report.violations().lines()))
        .put("facts", facts())
        .put("settings", settings())
        .put("latencies", latencies())
        .put("summary", String.join("\n", report.lines()))
        .put("timeline", timeline())
        .put("percentiles", labels())
        .put("first", curve(recorder.latency(Kind.FIRST)))
        .put("parked", curve(recorder.latency(Kind.PARKED)))
        .put("replayed", curve(recorder.latency(Kind.REPLAYED)))
        .put("wake", curve(recorder.wake()));
  }

  private JsonObject facts() {
    JsonObject facts =
        new JsonObject()
            .put("Throughput", format("%,.1f requests per second", report.perSecond()))
            .put("Succeeded", format("%,d of %,d", recorder.succeeded(), recorder.requests()))
            .put("Keys", format("%,d", recorder.operations()))
            .put("Payments", format("%,d", report.tally().payments()))
            .put("Maximum effects per key", format("%,d", report.tally().maxEffectsPerKey()))
            .put("Keys with differing responses", format("%,d", recorder.keys().differing()))
            .put(
                "Lost responses", format("%,d", report.violations().count(Violation.RESPONSE_LOST)))
            .put("Unanswered", format("%,d", recorder.unanswered()))
            .put("Conflicts, errors", format("%,d, %,d", recorder.conflicts(), recorder.errors()));
    report
        .psp()
        .ifPresent(
            counts ->
                facts.put(
                    "Charges at the PSP",
                    format("%,d, at most %,d per key", counts.charges(), counts.maxPerKey())));
    return facts;
  }

  private JsonObject settings() {
    String rate =
        plan.arrivals().perSecond().stream()
            .mapToObj(
                perSecond ->
                    format(
                        "open loop, %,.1f keys per second; %,d not started",
                        perSecond, report.sending().notStarted()))
            .findFirst()
            .orElse("closed loop");
    return new JsonObject()
        .put("Nodes", plan.nodes().stream().map(BaseUrl::url).collect(Collectors.joining(", ")))
        .put("PSP", plan.psp().map(BaseUrl::url).orElse("not audited"))
        .put("Requests per key", format("%,d", plan.retries()))
        .put("Maximum in flight", format("%,d", plan.concurrency()))
        .put("Duration of a charge", format("%,d ms", plan.slowMillis()))
        .put("Callers that disconnect", format("%.0f %%", plan.hangUpShare() * 100))
        .put("Arrivals", rate)
        .put("Duration", format("%.1f s", report.sending().nanos() / 1e9))
        .put("Key prefix", plan.keyPrefix());
  }

  private JsonArray latencies() {
    return new JsonArray()
        .add(row("First executions", recorder.latency(Kind.FIRST)))
        .add(row("Parked", recorder.latency(Kind.PARKED)))
        .add(row("Replayed", recorder.latency(Kind.REPLAYED)))
        .add(row("Woken after the first response", recorder.wake()));
  }

  private static JsonArray row(String name, Latency latency) {
    JsonArray row = new JsonArray().add(name).add(format("%,d", latency.count()));
    for (double percentile : TABLE) {
      row.add(latency.count() == 0 ? "" : format("%,.1f", latency.millis(percentile)));
    }
    return row;
  }

  private JsonObject timeline() {
    List<Timeline.Point> points = recorder.timeline().points();
    return new JsonObject()
        .put("seconds", line(points, Timeline.Point::endSeconds))
        .put("first", line(points, Timeline.Point::first))
        .put("parked", line(points, Timeline.Point::parked))
        .put("replayed", line(points, Timeline.Point::replayed))
        .put("failures", line(points, Timeline.Point::failures));
  }

  private static JsonArray line(
      List<Timeline.Point> points, ToDoubleFunction<Timeline.Point> value) {
    JsonArray line = new JsonArray();
    points.forEach(point -> line.add(Math.round(value.applyAsDouble(point) * 100) / 100.0));
    return line;
  }

  private static JsonArray labels() {
    JsonArray labels = new JsonArray();
    Arrays.stream(CURVE).forEach(p -> labels.add("p" + Double.toString(p).replaceAll("\\.0$", "")));
    return labels;
  }

  private static JsonArray curve(Latency latency) {
    JsonArray curve = new JsonArray();
    Arrays.stream(CURVE)
        .filter(p -> latency.count() > 0)
        .forEach(p -> curve.add(latency.millis(p)));
    return curve;
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
