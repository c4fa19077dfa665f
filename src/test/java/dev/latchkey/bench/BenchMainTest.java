package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchMainTest {

  private static final List<String> ALL = List.of("memory", "replays", "start");
  private static final Path PAGE_OF_REPOSITORY = Path.of("docs/benchmarks.md");

  @TempDir private Path results;

  private static Path page(String... args) {
    return CommandLine.populateCommand(new BenchMain(), args).page(ALL);
  }

  @Test
  void quickRunKeepsItsPageApart() {
    assertThat(page()).isEqualTo(PAGE_OF_REPOSITORY);
    assertThat(page("--quick")).isEqualTo(Path.of("target/bench/quick/benchmarks.md"));
    assertThat(page("start", "--quick", "--page", "a.md")).isEqualTo(Path.of("a.md"));
  }

  @Test
  void repositorysPageNeedsResultsOfAllExperiments() throws IOException {
    String[] start = {"start", "--results", results.toString()};
    String[] none = {"--page-only", "--results", results.toString()};
    Files.writeString(BenchMain.file(results, "memory"), "{}");
    assertThat(page(start)).isEqualTo(results.resolve("benchmarks.md"));

    Files.writeString(BenchMain.file(results, "replays"), "{}");
    assertThat(page(start)).isEqualTo(PAGE_OF_REPOSITORY);
    assertThat(page(none)).isEqualTo(results.resolve("benchmarks.md"));
  }

  @Test
  void unknownExperimentIsRejected() {
    assertThat(new CommandLine(new BenchMain()).execute("strat")).isEqualTo(2);
  }
}
