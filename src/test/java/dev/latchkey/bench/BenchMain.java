package dev.latchkey.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the experiments and writes the page: {@code [ID...] [--quick] [--rounds N] [--window
 * SECONDS] [--warm-up SECONDS] [--heap SIZE] [--results DIR] [--page FILE] [--page-only] [--list]}.
 * Keeps the results of each experiment in a file, so that each can be run alone; the page shows all
 * files. {@link BenchPlan} names their places.
 */
public final class BenchMain {

  private BenchMain() {}

  /** Exit code 1 if an experiment failed, 2 if the command line is invalid. */
  public static void main(String[] args) throws Exception {
    Arguments arguments = Arguments.of(args);
    if (arguments.has("list")) {
      Experiments.all().forEach(it -> System.out.println(it.id()));
      return;
    }
    BenchPlan plan;
    try {
      plan = BenchPlan.of(arguments, Experiments.all().stream().map(Experiment::id).toList());
    } catch (IllegalArgumentException e) {
      System.err.println("bench.sh: " + e.getMessage());
      System.exit(2);
      return;
    }
    Files.createDirectories(plan.results());
    int failures = 0;
    for (Experiment experiment : Experiments.all()) {
      if (plan.wanted().contains(experiment.id())) {
        failures += run(experiment, arguments, plan.results()) ? 0 : 1;
      }
    }
    Page.write(plan.results(), plan.page());
    System.exit(failures == 0 ? 0 : 1);
  }

  /** Each experiment has its own servers, without the data of another. */
  private static boolean run(Experiment experiment, Arguments arguments, Path results) {
    System.out.println(experiment.id());
    Path file = BenchPlan.file(results, experiment.id());
    try (BenchEnvironment environment = new BenchEnvironment(arguments)) {
      double busy = Machine.busyProcessors();
      JsonObject found =
          experiment
              .run(environment)
              .toJson()
              .put("machine", Machine.describe(environment).put("busy", busy));
      Files.writeString(file, found.encodePrettily());
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
