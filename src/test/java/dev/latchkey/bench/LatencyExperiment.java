package dev.latchkey.bench;

import dev.latchkey.testing.servers.Database;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The median latency that the layer adds to a lone request, in units of a one-row INSERT or a SET
 * measured in the same run.
 */
final class LatencyExperiment implements Experiment {

  private final String store;
  private final ServerSpec service;
  private final ServerSpec without;

  LatencyExperiment(String store, ServerSpec service, ServerSpec without) {
    this.store = store;
    this.service = service;
    this.without = without;
  }

  @Override
  public String id() {
    return "latency-" + store;
  }

  @Override
  public Result run(BenchEnvironment environment) throws IOException {
    List<String> jvm = environment.jvm(BenchEnvironment.LARGE_HEAP);
    int rounds = environment.rounds();
    double[] unit = new double[rounds];
    double[] byDriver = new double[rounds];
    double[] added = new double[rounds];
    boolean insert = store.equals("postgres");
    Database database = insert ? environment.preparedDatabase() : null;
    try (MeasuredServer ours = new MeasuredServer(service, environment, jvm, 1);
        MeasuredServer bare = new MeasuredServer(without, environment, jvm, 1)) {
      ours.warmUp();
      bare.warmUp();
      for (int round = 0; round < rounds; round++) {
        ours.measure();
        bare.measure();
        unit[round] =
            insert ? RoundTrip.ofInsert(database) : RoundTrip.ofSet(environment.redisUri());
        byDriver[round] =
            insert
                ? RoundTrip.ofInsertByDriver(database)
                : RoundTrip.ofSetByDriver(environment.redisUri());
        bare.measure();
        ours.measure();
        double with = (last(ours, 0) + last(ours, 1)) / 2;
        double free = (last(bare, 0) + last(bare, 1)) / 2;
        added[round] = with - free;
      }
      String command = insert ? "one-row INSERT" : "SET";
      return new Result("One request at a time, " + store)
          .line("", "p50 us")
          .line(ours.name(), p50(ours).text(0))
          .line(bare.name(), p50(bare).text(0))
          .line(command + ", by a thread that waits for it", Spread.of(unit).text(0))
          .line(command + ", by the driver on an event loop", Spread.of(byDriver).text(0))
          .ratio("added latency in units of a " + command + " by a thread", ratio(added, unit))
          .ratio(
              "added latency in units of a " + command + " by the driver", ratio(added, byDriver))
          .note("one connection, " + rounds + " rounds of A B unit B A");
    }
  }

  private static Spread ratio(double[] added, double[] unit) {
    double[] ratios = new double[added.length];
    Arrays.setAll(ratios, i -> added[i] / unit[i]);
    return Spread.of(ratios);
  }

  private static double last(MeasuredServer of, int back) {
    return of.samples().get(of.samples().size() - 1 - back).p50Micros();
  }

  private static Spread p50(MeasuredServer of) {
    return Spread.of(of.samples().stream().mapToDouble(it -> it.p50Micros()).toArray());
  }
}
