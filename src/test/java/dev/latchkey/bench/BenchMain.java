package dev.latchkey.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the experiments and writes the page: {@code [ID...] [--quick] [--rounds N] [--window
 * SECONDS] [--warm-up SECONDS] [--heap SIZE] [--results DIR] [--page FILE] [--page-only] [--list]}.
 * What was measured is kept in a file an experiment, so that each can be run again by itself; the
 * page is made of all files that are there. {@link BenchPlan} says where both are.
 */
public final class BenchMain {

  private BenchMain() {}

  /**
   * Runs what is asked for; exit code 1 when any of it could not be measured, 2 when not
   * understood.
   */
  public static void main(String[] args) throws Exception {
    Arguments arguments = Arguments.of(args);
    if (arguments.has("list")) {
      Matrix.all().forEach(it -> System.out.println(it.id()));
      return;
    }
    BenchPlan plan;
    try {
      plan = BenchPlan.of(arguments, Matrix.all().stream().map(Experiment::id).toList());
    } catch (IllegalArgumentException e) {
      System.err.println("bench.sh: " + e.getMessage());
      System.exit(2);
      return;
    }
    Files.createDirectories(plan.results());
    int failures = 0;
    for (Experiment experiment : Matrix.all()) {
      if (plan.wanted().contains(experiment.id())) {
        failures += run(experiment, arguments, plan.results()) ? 0 : 1;
      }
    }
    Page.write(plan.results(), plan.page());
    System.exit(failures == 0 ? 0 : 1);
  }

  /** Each on servers of its own, so that no one finds what another has left. */
  private static boolean run(Experiment experiment, Arguments arguments, Path results) {
    System.out.println(experiment.id());
    Path file = BenchPlan.file(results, experiment.id());
    try (Stage stage = new Stage(arguments)) {
      double busy = Machine.busyProcessors();
      JsonObject found =
          experiment.run(stage).toJson().put("machine", Machine.describe(stage).put("busy", busy));
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
