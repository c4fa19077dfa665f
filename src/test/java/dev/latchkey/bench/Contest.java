package dev.latchkey.bench;

import dev.latchkey.bench.Contestant.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Compares the throughput of several servers: all are warm before the first window, and the rounds
 * go through them in one order and then in the other (A B B A).
 *
 * @param id of the experiment
 * @param title of its section
 * @param connections of the load generator to each side
 * @param heap of each server
 * @param own the sides that run Latchkey
 * @param peers the sides that each of them is compared with
 */
record Contest(
    String id, String title, int connections, String heap, List<Side> own, List<Side> peers)
    implements Experiment {

  @Override
  public Result run(Stage stage) throws IOException {
    List<Contestant> contestants = new ArrayList<>();
    try {
      for (Side side : Stream.concat(own.stream(), peers.stream()).toList()) {
        contestants.add(new Contestant(side, stage, stage.jvm(heap), connections));
      }
      measure(stage, contestants);
      return result(stage, contestants);
    } finally {
      for (Contestant contestant : contestants) {
        contestant.close();
      }
    }
  }

  /** Warms all of them up, then measures round by round, each in the reverse order of the last. */
  static void measure(Stage stage, List<Contestant> contestants) throws IOException {
    for (Contestant contestant : contestants) {
      contestant.warmUp();
    }
    List<Contestant> order = new ArrayList<>(contestants);
    for (int round = 0; round < stage.rounds(); round++) {
      for (Contestant contestant : order) {
        contestant.measure();
      }
      Collections.reverse(order);
    }
  }

  private Result result(Stage stage, List<Contestant> contestants) {
    Result result = new Result(title);
    result.line(
        "side",
        "per second",
        "p50 us",
        "p99 us",
        "server CPU us",
        "Postgres CPU us",
        "generator CPU us");
    for (Contestant it : contestants) {
      result.line(
          it.name(),
          column(it, Sample::perSecond).text(0),
          text(column(it, Sample::p50Micros)),
          text(column(it, Sample::p99Micros)),
          column(it, Sample::serverMicros).text(1),
          stage.isPostgresGiven() ? "unknown" : text(column(it, Sample::postgresMicros)),
          text(column(it, Sample::generatorMicros)));
    }
    for (Contestant each : contestants.subList(0, own.size())) {
      for (Contestant peer : contestants.subList(own.size(), contestants.size())) {
        String what = each.name() + ", against " + peer.name();
        result.ratio(what, ratio(each, peer, Sample::perSecond));
      }
    }
    return result.note(
        "%d connections, %d rounds of %d s after %d s of warm-up or more, heap %s"
            .formatted(
                connections,
                stage.rounds(),
                (int) stage.windowSeconds(),
                (int) stage.warmUpSeconds(),
                heap));
  }

  /** The ratio of a value of two sides in the same rounds. */
  static Spread ratio(Contestant over, Contestant under, ToDoubleFunction<Sample> value) {
    double[] each = new double[over.samples().size()];
    for (int i = 0; i < each.length; i++) {
      each[i] =
          value.applyAsDouble(over.samples().get(i)) / value.applyAsDouble(under.samples().get(i));
    }
    return Spread.of(each);
  }

  static Spread column(Contestant of, ToDoubleFunction<Sample> value) {
    return Spread.of(of.samples().stream().mapToDouble(value).toArray());
  }

  private static String text(Spread spread) {
    return String.format(Locale.ROOT, "%,.0f", spread.median());
  }
}
