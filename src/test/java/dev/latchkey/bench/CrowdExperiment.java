package dev.latchkey.bench;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Ten thousand duplicates of one slow request on its owner's node: the number of store calls, the
 * time between the first and the last response, and the heap of a parked request, compared with a
 * request that a bare handler holds.
 */
final class CrowdExperiment implements Experiment {

  private static final int DUPLICATES = 10_000;
  private static final String SLOW = "pm_slow_12000";
  private static final long HEAP_AFTER_MILLIS = 7_000;

  private record Measured(double spreadMillis, double heapPerWaiter, double storeCalls) {}

  @Override
  public String id() {
    return "crowd";
  }

  @Override
  public Result run(BenchEnvironment environment) throws IOException, InterruptedException {
    List<Measured> ours = new ArrayList<>();
    List<Measured> bare = new ArrayList<>();
    for (int round = 0; round < environment.rounds(); round++) {
      try (ServerUnderTest service = service(environment)) {
        ours.add(crowd(service, true));
      }
      List<String> hold = List.of("dev.latchkey.bench.BaselineMain", "hold", "--hold-ms", "12000");
      try (ServerUnderTest held = ServerUnderTest.start(environment.jvm("2g"), hold)) {
        bare.add(crowd(held, false));
      }
    }
    double[] spread = ours.stream().mapToDouble(Measured::spreadMillis).toArray();
    double[] calls = ours.stream().mapToDouble(Measured::storeCalls).toArray();
    double[] heap = new double[ours.size()];
    for (int i = 0; i < heap.length; i++) {
      heap[i] = ours.get(i).heapPerWaiter() - bare.get(i).heapPerWaiter();
    }
    return new Result("A crowd behind one request")
        .line("side", "heap per waiter, bytes", "last response after first, ms", "store calls")
        .line("Latchkey in memory", mean(ours), Spread.of(spread).text(0), max(calls))
        .line("bare handler that holds the request", mean(bare), "", "")
        .note("beyond the bare handler, bytes per waiter: " + Spread.of(heap).text(0))
        .note(DUPLICATES + " connections, each with one request, " + SLOW)
        .note("heap is the growth of live objects after a full collection")
        .note("each round is a new process; heap 2g");
  }

  private static ServerUnderTest service(BenchEnvironment environment) throws IOException {
    List<String> words = List.of("dev.latchkey.Main", "serve", "--port", "0", "--wait", "60s");
    List<String> more = new ArrayList<>(words);
    more.addAll(List.of("--max-parked", "20000", "--max-parked-per-key", "10000"));
    return ServerUnderTest.start(environment.jvm("2g"), more);
  }

  private static String mean(List<Measured> seen) {
    return Spread.of(seen.stream().mapToDouble(Measured::heapPerWaiter).toArray()).text(0);
  }

  private static String max(double[] values) {
    return String.format(Locale.ROOT, "%.0f", Spread.of(values).high());
  }

  private Measured crowd(ServerUnderTest server, boolean counted)
      throws IOException, InterruptedException {
    Requests quick = new Requests("pm_card_visa");
    try (ClosedLoop warm = new ClosedLoop(server.address(), 32, quick::next)) {
      warm.run(5);
    }
    long[] first = {Long.MAX_VALUE};
    long[] last = {0};
    int[] left = {DUPLICATES};
    int[] wrong = {0};
    Client.Listener listener =
        (from, status) -> {
          first[0] = Math.min(first[0], from.respondedNanos);
          last[0] = Math.max(last[0], from.respondedNanos);
          wrong[0] += status == 201 ? 0 : 1;
          left[0]--;
        };
    List<Client> clients = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < DUPLICATES; i++) {
        clients.add(new Client(i, selector, server.address(), listener, 4_096));
      }
      // One request on each connection first, which allocates what the connection keeps.
      for (Client client : clients) {
        client.send(quick.of(1_000_000 + client.index));
      }
      await(selector, left);
      first[0] = Long.MAX_VALUE;
      left[0] = DUPLICATES;
      double callsBefore = counted ? Prometheus.storeCalls(server.url()) : 0;
      long heapBefore = Heap.live(server.pid());
      Requests slow = new Requests(SLOW);
      long start = System.nanoTime();
      for (Client client : clients) {
        client.send(slow.of(7));
      }
      long settle = HEAP_AFTER_MILLIS - (System.nanoTime() - start) / 1_000_000;
      selector.select(Math.max(1, settle));
      long heap = Heap.live(server.pid()) - heapBefore;
      await(selector, left);
      double calls = counted ? Prometheus.storeCalls(server.url()) - callsBefore : 0;
      if (wrong[0] > 0) {
        throw new IOException(wrong[0] + " responses were not 201");
      }
      return new Measured((last[0] - first[0]) / 1e6, (double) heap / DUPLICATES, calls);
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }

  private static void await(Selector selector, int[] left) throws IOException {
    while (left[0] > 0) {
      if (selector.select(ClosedLoop::read, 60_000) == 0) {
        throw new IOException(left[0] + " responses are missing after 60 s");
      }
    }
  }
}
