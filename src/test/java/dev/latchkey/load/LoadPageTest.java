package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that {@code load --report} writes. */
class LoadPageTest {

  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>");

  @TempDir Path directory;

  private String page(BrokenService service, String... more) throws IOException {
    Path file = directory.resolve("report.html");
    String[] args = {
      "--url", service.url(), "--keys", "10", "--retries", "4", "--report", file.toString()
    };
    String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    Loaded.run(all);
    return Files.readString(file);
  }

  private static JsonObject data(String page) {
    Matcher matcher = DATA.matcher(page);
    assertThat(matcher.find()).isTrue();
    return new JsonObject(matcher.group(1));
  }

  @Test
  void pageContainsVerdictCountsAndCurves() throws IOException {
    try (BrokenService service = BrokenService.untilInFlight(32)) {
      String page = page(service, "--psp-url", service.url());

      assertThat(page).contains("<title>Load report: exactly-once</title>").contains(service.url());
      assertThat(page).doesNotContain("@@");
      JsonObject data = data(page);
      assertThat(data.getJsonObject("result").getLong("executed")).isEqualTo(10);
      JsonObject timeline = data.getJsonObject("timeline");
      int points = timeline.getJsonArray("seconds").size();
      for (String line : new String[] {"first", "parked", "replayed", "failures"}) {
        assertThat(timeline.getJsonArray(line)).hasSize(points);
      }
      int percentiles = data.getJsonArray("percentiles").size();
      for (String curve : new String[] {"first", "parked", "wake"}) {
        assertThat(data.getJsonArray(curve)).as(curve).hasSize(percentiles);
      }
    }
  }

  @Test
  void violationsAreListed() throws IOException {
    try (BrokenService service = new BrokenService(Mode.EXECUTES_TWICE)) {
      String page = page(service);
      assertThat(page).contains("<p class=\"verdict violated\">violated</p>");
      assertThat(data(page).getJsonArray("violations").getString(0))
          .startsWith("10 keys had more than one effect, such as load-");
    }
  }

  @Test
  void pageIsSelfContained() throws IOException {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      String page = page(service);

      assertThat(page).contains("default-src 'none'").doesNotContain("sourceMappingURL");
      assertThat(page).doesNotContainPattern("(?i)<(script|img|link|iframe)[^>]*(src|href)=");
      assertThat(page).doesNotContain("@import").doesNotContain("<link");
    }
  }

  @Test
  void licenceOfTheLibraryIsIncluded() throws IOException {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      assertThat(page(service))
          .contains("Chart.js Contributors")
          .contains("Permission is hereby granted, free of charge");
    }
  }

  @Test
  void textOfTheServiceIsNotMarkup() throws IOException {
    try (BrokenService service = new BrokenService(Mode.REFUSES_WITH_MARKUP)) {
      String page = page(service);
      assertThat(page).doesNotContain("<script>alert(1)").doesNotContain("innerHTML");
      assertThat(data(page).getString("summary"))
          .contains("</pre><script>alert(1)</script>&$1@@data@@");
    }
  }

  @Test
  void secretIsNotIncluded() throws IOException {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      assertThat(page(service, "--api-key", "s3cret")).doesNotContain("s3cret");
    }
  }

  @Test
  void unwritableFileRefusesTheRun() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      String nowhere = directory.resolve("no/such/dir/report.html").toString();
      for (String path : new String[] {nowhere, directory.toString()}) {
        Loaded loaded = Loaded.run("--url", service.url(), "--report", path);

        assertThat(loaded.exitCode()).isEqualTo(2);
        assertThat(loaded.err()).hasLineCount(1).contains("--report: cannot write " + path);
      }
      assertThat(service.posts).hasValue(0);
    }
  }
}
