package dev.latchkey.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The command line of a run.
 *
 * @param wanted the experiments to run, in the order of the page
 * @param results the directory of the results, one file for each experiment
 * @param page the file of the page
 */
record BenchPlan(List<String> wanted, Path results, Path page) {

  private static final Set<String> OPTIONS =
      Set.of(
          "quick", "rounds", "window", "warm-up", "heap", "results", "page", "page-only", "list");
  private static final Set<String> VALUED = Set.of("heap", "results", "page");
  private static final List<String> COUNTS = List.of("rounds", "window", "warm-up");
  private static final Path RESULTS = Path.of("target/bench");
  private static final Path QUICK_RESULTS = Path.of("target/bench/quick");
  private static final Path PAGE = Path.of("docs/benchmarks.md");

  /**
   * Reads a command line. The default page is the repository's, except for a quick run, whose
   * figures mean nothing, and while results of any experiment are missing.
   *
   * @param all all experiments, in the order of the page
   * @throws IllegalArgumentException if an option or experiment is unknown or a value invalid
   */
  static BenchPlan of(Arguments arguments, List<String> all) {
    Set<String> unknown = new TreeSet<>(arguments.options().keySet());
    unknown.removeAll(OPTIONS);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("no option --" + String.join(", --", unknown));
    }
    checkValues(arguments);
    for (String id : arguments.words()) {
      if (!all.contains(id)) {
        throw new IllegalArgumentException("no experiment " + id + ", see --list");
      }
    }
    boolean quick = arguments.has("quick");
    Path results = Path.of(arguments.text("results", (quick ? QUICK_RESULTS : RESULTS).toString()));
    List<String> wanted =
        arguments.has("page-only")
            ? List.of()
            : all.stream()
                .filter(id -> arguments.words().isEmpty() || arguments.words().contains(id))
                .toList();
    boolean whole =
        all.stream().allMatch(id -> wanted.contains(id) || Files.exists(file(results, id)));
    Path page = whole && !quick ? PAGE : results.resolve("benchmarks.md");
    return new BenchPlan(wanted, results, Path.of(arguments.text("page", page.toString())));
  }

  /** Before anything runs: a full run takes an hour. */
  private static void checkValues(Arguments arguments) {
    for (String name : COUNTS) {
      String value = arguments.text(name, "1");
      if (!value.matches("[1-9][0-9]{0,5}")) {
        throw new IllegalArgumentException(
            "--" + name + ": '" + value + "' is not a whole number, 1 to 999999");
      }
    }
    for (String name : VALUED) {
      if (arguments.text(name, "").equals("true")) {
        throw new IllegalArgumentException("--" + name + " needs a value");
      }
    }
    String heap = arguments.text("heap", "2g");
    if (!heap.matches("[1-9][0-9]*[mgMG]")) {
      throw new IllegalArgumentException("--heap: '" + heap + "' is not a size such as 512m or 2g");
    }
  }

  /** The file of an experiment's results. */
  static Path file(Path results, String id) {
    return results.resolve(id + ".json");
  }
}
