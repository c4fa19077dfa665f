package dev.latchkey.bench;

import dev.latchkey.bench.ClosedLoop.Window;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A running server of a comparison and its samples. */
final class MeasuredServer implements AutoCloseable {

  /** The maximum length of a slow server's warm-up, in warm-up periods. */
  private static final int MAX_WARM_UPS = 4;

  private static final int[] POOLS = {4, 8, 16, 32, 64};

  /**
   * The measurements of one window.
   *
   * @param perSecond requests
   * @param p50Micros of their latency
   * @param p99Micros of their latency
   * @param serverMicros processor time of the server, per request
   * @param postgresMicros processor time of all of Postgres, per request
   * @param generatorMicros processor time of the load generator, per request
   */
  record Sample(
      double perSecond,
      double p50Micros,
      double p99Micros,
      double serverMicros,
      double postgresMicros,
      double generatorMicros) {}

  private final ServerSpec spec;
  private final BenchEnvironment environment;
  private final ServerUnderTest server;
  private final ClosedLoop load;
  private final List<Sample> samples = new ArrayList<>();
  private final Supplier<ByteBuffer> source;
  private final Requests requests = new Requests("pm_card_visa");
  private long sent;
  private int pool;

  MeasuredServer(ServerSpec spec, BenchEnvironment environment, List<String> jvm, int connections)
      throws IOException {
    this.spec = spec;
    this.environment = environment;
    server = spec.start().on(environment, jvm);
    source = spec.replays() == 0 ? requests::next : () -> requests.of(sent++ % spec.replays());
    load = new ClosedLoop(server.address(), connections, source);
  }

  String name() {
    return pool == 0 ? spec.name() : spec.name() + ", pool of " + pool;
  }

  List<Sample> samples() {
    return samples;
  }

  /** Warms up and selects the best pool size, if there is a pool. */
  void warmUp() throws IOException {
    // Always with many connections: one request at a time would leave the code interpreted.
    try (ClosedLoop many = new ClosedLoop(server.address(), 32, source)) {
      long requests = 0;
      for (int i = 0; i == 0 || i < MAX_WARM_UPS && requests < environment.warmUpRequests(); i++) {
        requests += many.run(environment.warmUpSeconds()).requests();
      }
    }
    load.run(1);
    while (sent < spec.replays()) {
      load.run(1);
    }
    if (spec.pools()) {
      double best = 0;
      for (int size : POOLS) {
        choosePool(size);
        load.run(environment.windowSeconds() / 4);
        double rate = load.run(environment.windowSeconds() / 2).perSecond();
        if (rate > best) {
          best = rate;
          pool = size;
        }
      }
      choosePool(pool);
      load.run(environment.windowSeconds() / 4);
    }
  }

  /** Measures one window. */
  void measure() throws IOException {
    List<Long> own = List.of(server.pid());
    List<Long> self = List.of(ProcessHandle.current().pid());
    List<Long> database = environment.postgresProcesses();
    double serverBefore = Cpu.seconds(own);
    double selfBefore = Cpu.seconds(self);
    double databaseBefore = Cpu.seconds(database);
    Window window = load.run(environment.windowSeconds());
    double micros = 1e6 / window.requests();
    Sample sample =
        new Sample(
            window.perSecond(),
            window.latency().getValueAtPercentile(50) / 1e3,
            window.latency().getValueAtPercentile(99) / 1e3,
            (Cpu.seconds(own) - serverBefore) * micros,
            (Cpu.seconds(database) - databaseBefore) * micros,
            (Cpu.seconds(self) - selfBefore) * micros);
    samples.add(sample);
    System.out.printf(
        "  %-58s %8.0f/s  p50 %6.0f us  server %5.1f us  postgres %5.1f us  generator %5.1f us%n",
        name(),
        sample.perSecond(),
        sample.p50Micros(),
        sample.serverMicros(),
        sample.postgresMicros(),
        sample.generatorMicros());
  }

  private void choosePool(int size) throws IOException {
    URI uri = server.url().resolve("/v1/pool/" + size);
    HttpRequest choose =
        HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.noBody()).build();
    try {
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .build()
          .send(choose, HttpResponse.BodyHandlers.discarding());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    load.close();
    server.close();
  }
}
