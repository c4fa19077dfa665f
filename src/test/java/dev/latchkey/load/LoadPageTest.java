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
  void itShowsVerdictCountsAndCurves() throws IOException {
    try (BrokenService service = BrokenService.untilInFlight(32)) {
      String page = page(service, "--psp-url", service.url());

      assertThat(page).contains("<title>Load report: exactly-once</title>").contains(service.url());
      assertThat(page).contains("<dt>Payments</dt><dd>10</dd>").doesNotContain("@@");
      JsonObject data = data(page);
      int points = data.getJsonArray("seconds").size();
      for (String line : new String[] {"first", "parked", "replayed", "troubles"}) {
        assertThat(data.getJsonArray(line)).hasSize(points);
      }
      int percentiles = data.getJsonArray("percentiles").size();
      for (String curve : new String[] {"firstMillis", "parkedMillis", "wakeMillis"}) {
        assertThat(data.getJsonArray(curve)).as(curve).hasSize(percentiles);
      }
    }
  }

  @Test
  void aViolationIsToldWithItsFaults() throws IOException {
    try (BrokenService service = new BrokenService(Mode.RUNS_TWICE)) {
      assertThat(page(service))
          .contains("<p class=\"verdict violated\">violated</p>")
          .containsPattern("<li>10 keys had more than one effect, such as load-");
    }
  }

  @Test
  void itFetchesNothing() throws IOException {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      String page = page(service);

      assertThat(page).contains("default-src 'none'").doesNotContain("sourceMappingURL");
      assertThat(page).doesNotContainPattern("(?i)<(script|img|link|iframe)[^>]*(src|href)=");
      assertThat(page).doesNotContain("@import").doesNotContain("<link");
    }
  }

  @Test
  void itCarriesTheLicenceOfWhatItCarries() throws IOException {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      assertThat(page(service))
          .contains("Chart.js Contributors")
          .contains("Permission is hereby granted, free of charge");
    }
  }

  @Test
  void whatTheServiceSaysIsText() throws IOException {
    try (BrokenService service = new BrokenService(Mode.REFUSES_WITH_MARKUP)) {
      assertThat(page(service))
          .contains("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;$1@@data@@")
          .doesNotContain("<script>alert(1)");
    }
  }

  @Test
  void noSecretIsOnIt() throws IOException {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      assertThat(page(service, "--api-key", "s3cret")).doesNotContain("s3cret");
    }
  }

  @Test
  void whereItCannotBeWrittenNothingIsSent() {
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
