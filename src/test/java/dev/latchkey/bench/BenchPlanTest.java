package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchPlanTest {

  private static final List<String> ALL = List.of("memory", "replays", "start");
  private static final Path PAGE_OF_REPOSITORY = Path.of("docs/benchmarks.md");

  @TempDir private Path results;

  private static BenchPlan plan(String... args) {
    return BenchPlan.of(Arguments.of(args), ALL);
  }

  @Test
  void runsEverythingAndWritesTheRepositorysPageByDefault() {
    assertThat(plan()).isEqualTo(new BenchPlan(ALL, Path.of("target/bench"), PAGE_OF_REPOSITORY));
  }

  @Test
  void quickRunKeepsPageAndResultsApart() {
    Path quick = Path.of("target/bench/quick");

    assertThat(plan("--quick"))
        .isEqualTo(new BenchPlan(ALL, quick, quick.resolve("benchmarks.md")));
  }

  @Test
  void flagTakesNoValue() {
    assertThat(plan("--quick", "start").wanted()).containsExactly("start");
  }

  @Test
  void repositorysPageNeedsResultsOfAllExperiments() throws IOException {
    String[] args = {"start", "--results", results.toString()};
    assertThat(plan(args).page()).isEqualTo(results.resolve("benchmarks.md"));

    Files.writeString(BenchPlan.file(results, "memory"), "{}");
    assertThat(plan(args).page()).isEqualTo(results.resolve("benchmarks.md"));

    Files.writeString(BenchPlan.file(results, "replays"), "{}");
    assertThat(plan(args).page()).isEqualTo(PAGE_OF_REPOSITORY);
  }

  @Test
  void optionNamesThePage() {
    assertThat(plan("start", "--quick", "--page", "a.md").page()).isEqualTo(Path.of("a.md"));
  }

  @Test
  void pageAloneRunsNothing() throws IOException {
    String[] args = {"--page-only", "--results", results.toString()};
    assertThat(plan(args))
        .isEqualTo(new BenchPlan(List.of(), results, results.resolve("benchmarks.md")));

    for (String id : ALL) {
      Files.writeString(BenchPlan.file(results, id), "{}");
    }
    assertThat(plan(args)).isEqualTo(new BenchPlan(List.of(), results, PAGE_OF_REPOSITORY));
  }

  @Test
  void unknownNamesAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("strat"))
        .withMessage("no experiment strat, see --list");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("start", "--round", "3"))
        .withMessage("no option --round");
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds, x, --rounds: 'x' is not a whole number",
    "--rounds, 0, --rounds: '0' is not a whole number",
    "--window, -1, --window: '-1' is not a whole number",
    "--warm-up, --quick, --warm-up: 'true' is not a whole number",
    "--heap, much, --heap: 'much' is not a size",
    "--page, --quick, --page needs a value"
  })
  void invalidValueIsRejected(String option, String value, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("start", option, value))
        .withMessageStartingWith(why);
  }
}
