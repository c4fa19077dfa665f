package dev.latchkey.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs the experiments and writes the page. Keeps the results of each experiment in a file, so that
 * each can be run alone; the page shows all files. Exit code 1 if an experiment failed, 2 if the
 * command line is invalid.
 */
@Command(name = "bench.sh")
public final class BenchMain implements Callable<Integer> {

  private static final String PAGE_OF_REPOSITORY = "docs/benchmarks.md";

  @Parameters private List<String> experiments = List.of();

  @Option(names = "--quick")
  boolean quick;

  @Option(names = "--rounds", defaultValue = "0")
  int rounds;

  @Option(names = "--window", paramLabel = "SECONDS", defaultValue = "0")
  int windowSeconds;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "0")
  int warmUpSeconds;

  @Option(names = "--heap", defaultValue = "")
  String heap;

  @Option(names = "--results", defaultValue = "")
  private String results;

  @Option(names = "--page", defaultValue = "")
  private String page;

  @Option(names = "--page-only")
  private boolean pageOnly;

  @Option(names = "--list")
  private boolean list;

  /** Runs the command line. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new BenchMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    List<String> all = Experiments.all().stream().map(Experiment::id).toList();
    if (list) {
      all.forEach(System.out::println);
      return 0;
    }
    for (String id : experiments) {
      if (!all.contains(id)) {
        System.err.println("bench.sh: no experiment " + id + ", see --list");
        return 2;
      }
    }
    Files.createDirectories(results());
    Path target = page(all);
    int failures = 0;
    for (Experiment experiment : Experiments.all()) {
      if (isWanted(experiment.id())) {
        failures += run(experiment) ? 0 : 1;
      }
    }
    Page.write(results(), target);
    return failures == 0 ? 0 : 1;
  }

  private boolean isWanted(String id) {
    return !pageOnly && (experiments.isEmpty() || experiments.contains(id));
  }

  Path results() {
    return Path.of(results.isEmpty() ? quick ? "target/bench/quick" : "target/bench" : results);
  }

  /**
   * The default page is the repository's, except for a quick run, whose figures mean nothing, and
   * while results of any experiment are missing.
   */
  Path page(List<String> all) {
    boolean whole = all.stream().allMatch(id -> isWanted(id) || Files.exists(file(results(), id)));
    return !page.isEmpty()
        ? Path.of(page)
        : whole && !quick ? Path.of(PAGE_OF_REPOSITORY) : results().resolve("benchmarks.md");
  }

  /** The file of an experiment's results. */
  static Path file(Path results, String id) {
    return results.resolve(id + ".json");
  }

  /** Each experiment has its own servers, without the data of another. */
  private boolean run(Experiment experiment) {
    System.out.println(experiment.id());
    try (BenchEnvironment environment = new BenchEnvironment(this)) {
      double busy = Machine.busyProcessors();
      JsonObject found =
          experiment
              .run(environment)
              .toJson()
              .put("machine", Machine.describe(environment).put("busy", busy));
      Files.writeString(file(results(), experiment.id()), found.encodePrettily());
      found.getJsonArray("notes").forEach(note -> System.out.println("  " + note));
      return true;
    } catch (IOException | RuntimeException | AssertionError e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      System.out.println("  not measured: " + why);
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
