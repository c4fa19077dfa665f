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
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The report as one self-contained page: a template, the chart library, and the data as JSON, which
 * the page's script renders as text.
 */
final class HtmlReport {

  /** Contains the version of the library on the class path. */
  private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/";

  private static final double[] PERCENTILES = {
    0, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.99, 100
  };

  private HtmlReport() {}

  /** Returns the page of a report, for UTF-8. */
  static String of(LoadReport report) {
    // A script element ends at the first "</", so the data has no "<".
    String data = data(report).encode().replace("<", "\\u003c");
    String script = resource(CHARTS + "dist/chart.umd.min.js");
    return resource("/dev/latchkey/load/report.html")
        .replace("@@verdict@@", report.verdict())
        .replace("@@library@@", script.replaceAll("(?m)^//# sourceMappingURL=.*$", "").strip())
        .replace("@@licence@@", resource(CHARTS + "LICENSE.md").replace("<", "&lt;"))
        .replace("@@data@@", data);
  }

  private static JsonObject data(LoadReport report) {
    LoadRecorder recorder = report.recorder();
    JsonArray percentiles = new JsonArray();
    Arrays.stream(PERCENTILES)
        .forEach(p -> percentiles.add("p" + Double.toString(p).replaceAll("\\.0$", "")));
    return new JsonObject()
        .put("startedAt", report.sending().startedAt().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("violations", new JsonArray(report.violations().lines()))
        .put("result", report.json())
        .put("settings", settings(report.plan()))
        .put("summary", String.join("\n", report.lines()))
        .put("timeline", timeline(recorder.timeline.points()))
        .put("percentiles", percentiles)
        .put("first", curve(recorder.latency(Kind.FIRST)))
        .put("parked", curve(recorder.latency(Kind.PARKED)))
        .put("replayed", curve(recorder.latency(Kind.REPLAYED)))
        .put("wake", curve(recorder.wake));
  }

  private static JsonObject settings(LoadPlan plan) {
    return new JsonObject()
        .put("Nodes", plan.nodes().stream().map(BaseUrl::url).collect(Collectors.joining(", ")))
        .put("PSP", plan.psp().map(BaseUrl::url).orElse("not audited"))
        .put("Milliseconds of a charge", plan.slowMillis())
        .put("Share of callers that disconnect", plan.hangUpShare())
        .put("Arrivals", plan.arrivals().open() ? "open loop" : "closed loop")
        .put("Key prefix", plan.keyPrefix());
  }

  private static JsonObject timeline(List<Timeline.Point> points) {
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

  private static JsonArray curve(Latency latency) {
    JsonArray curve = new JsonArray();
    Arrays.stream(PERCENTILES)
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
}
