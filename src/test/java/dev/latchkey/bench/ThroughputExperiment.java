package dev.latchkey.bench;

import dev.latchkey.bench.MeasuredServer.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Compares the throughput of several servers. All are warm before the first window; each round
 * reverses the order of the previous one (A B B A).
 *
 * @param id of the experiment
 * @param title of its section
 * @param connections of the load generator to each side
 * @param heap of each server
 * @param own the sides that run Latchkey
 * @param peers the sides that each of them is compared with
 */
record ThroughputExperiment(
    String id,
    String title,
    int connections,
    String heap,
    List<ServerSpec> own,
    List<ServerSpec> peers)
    implements Experiment {

  @Override
  public Result run(BenchEnvironment environment) throws IOException {
    List<MeasuredServer> servers = new ArrayList<>();
    try {
      for (ServerSpec side : Stream.concat(own.stream(), peers.stream()).toList()) {
        servers.add(new MeasuredServer(side, environment, environment.jvm(heap), connections));
      }
      measure(environment, servers);
      return result(environment, servers);
    } finally {
      for (MeasuredServer server : servers) {
        server.close();
      }
    }
  }

  /** Warms all servers up, then measures round by round, each in the reverse order of the last. */
  static void measure(BenchEnvironment environment, List<MeasuredServer> servers)
      throws IOException {
    for (MeasuredServer server : servers) {
      server.warmUp();
    }
    List<MeasuredServer> order = new ArrayList<>(servers);
    for (int round = 0; round < environment.rounds(); round++) {
      for (MeasuredServer server : order) {
        server.measure();
      }
      Collections.reverse(order);
    }
  }

  private Result result(BenchEnvironment environment, List<MeasuredServer> servers) {
    Result result = new Result(title);
    result.line(
        "side",
        "per second",
        "p50 us",
        "p99 us",
        "server CPU us",
        "Postgres CPU us",
        "generator CPU us");
    for (MeasuredServer it : servers) {
      result.line(
          it.name(),
          column(it, Sample::perSecond).text(0),
          text(column(it, Sample::p50Micros)),
          text(column(it, Sample::p99Micros)),
          column(it, Sample::serverMicros).text(1),
          environment.isPostgresGiven() ? "unknown" : text(column(it, Sample::postgresMicros)),
          text(column(it, Sample::generatorMicros)));
    }
    for (MeasuredServer each : servers.subList(0, own.size())) {
      for (MeasuredServer peer : servers.subList(own.size(), servers.size())) {
        String what = each.name() + ", against " + peer.name();
        result.ratio(what, ratio(each, peer, Sample::perSecond));
      }
    }
    return result.note(
        "%d connections, %d rounds of %d s after %d s of warm-up or more, heap %s"
            .formatted(
                connections,
                environment.rounds(),
                (int) environment.windowSeconds(),
                (int) environment.warmUpSeconds(),
                heap));
  }

  /** The ratio of a value of two sides in the same rounds. */
  static Spread ratio(MeasuredServer over, MeasuredServer under, ToDoubleFunction<Sample> value) {
    double[] each = new double[over.samples().size()];
    for (int i = 0; i < each.length; i++) {
      each[i] =
          value.applyAsDouble(over.samples().get(i)) / value.applyAsDouble(under.samples().get(i));
    }
    return Spread.of(each);
  }

  static Spread column(MeasuredServer of, ToDoubleFunction<Sample> value) {
    return Spread.of(of.samples().stream().mapToDouble(value).toArray());
  }

  private static String text(Spread spread) {
    return String.format(Locale.ROOT, "%,.0f", spread.median());
  }
}
