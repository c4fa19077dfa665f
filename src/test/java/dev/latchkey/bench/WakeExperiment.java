package dev.latchkey.bench;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Two nodes on one store: sends a hundred requests a second to one node and a duplicate of each to
 * the other. Measures the time from the owner's response to the duplicate's.
 */
final class WakeExperiment implements Experiment {

  private static final int PER_SECOND = 100;
  private static final long DUPLICATE_AFTER_NANOS = 60_000_000;
  private static final String SLOW = "pm_slow_200";
  private static final int MAX_CONNECTIONS = 2_000;

  private final String store;

  WakeExperiment(String store) {
    this.store = store;
  }

  @Override
  public String id() {
    return "wake-" + store;
  }

  @Override
  public Result run(BenchEnvironment environment) throws IOException, InterruptedException {
    String uri =
        store.equals("postgres") ? environment.preparedDatabase().uri() : environment.redisUri();
    List<String> node = new ArrayList<>(List.of("dev.latchkey.Main", "serve", "--port", "0"));
    node.addAll(List.of("--store", store, "--" + store + "-uri", uri));
    double[] p99 = new double[environment.rounds()];
    double[] p50 = new double[environment.rounds()];
    try (ServerUnderTest one = ServerUnderTest.start(environment.jvm("1g"), node);
        ServerUnderTest two = ServerUnderTest.start(environment.jvm("1g"), node)) {
      pairs(one, two, environment.warmUpSeconds());
      for (int round = 0; round < p99.length; round++) {
        Histogram wakes = pairs(one, two, environment.windowSeconds() * 2);
        p99[round] = wakes.getValueAtPercentile(99) / 1e6;
        p50[round] = wakes.getValueAtPercentile(50) / 1e6;
      }
    }
    return new Result("Duplicates on another node, " + store)
        .line("", "p50 ms", "p99 ms")
        .line("behind the owner's response", Spread.of(p50).text(1), Spread.of(p99).text(1))
        .note(PER_SECOND + " wake-ups a second")
        .note("the duplicate is sent 60 ms after the first, which takes 200 ms")
        .note("a duplicate whose response comes before the owner's counts as 0");
  }

  private Histogram pairs(ServerUnderTest one, ServerUnderTest two, double seconds)
      throws IOException {
    Histogram wakes = new Histogram(60_000_000_000L, 3);
    Map<Client, Long> keys = new HashMap<>();
    Map<Long, Long> ownerNanos = new HashMap<>();
    Deque<Client> owners = new ArrayDeque<>();
    Deque<Client> followers = new ArrayDeque<>();
    int[] wrong = {0};
    int[] pending = {0};
    Requests requests = new Requests(SLOW);
    Deque<long[]> due = new ArrayDeque<>();
    try (Selector selector = Selector.open()) {
      Client.Listener first =
          (from, status) -> {
            wrong[0] += status == 201 ? 0 : 1;
            ownerNanos.put(keys.get(from), from.respondedNanos);
            owners.add(from);
            pending[0]--;
          };
      List<Client[]> waiting = new ArrayList<>();
      Client.Listener second =
          (from, status) -> {
            wrong[0] += status == 201 ? 0 : 1;
            waiting.add(new Client[] {from});
            pending[0]--;
          };
      List<Client> all = new ArrayList<>();
      long start = System.nanoTime();
      long count = (long) (seconds * PER_SECOND);
      long next = 0;
      while (next < count || pending[0] > 0 || !due.isEmpty()) {
        long now = System.nanoTime();
        if (next < count && now - start >= next * 1_000_000_000L / PER_SECOND) {
          Client owner = idle(owners, all, selector, one, first);
          keys.put(owner, next);
          owner.send(requests.of(next));
          pending[0]++;
          due.add(new long[] {now + DUPLICATE_AFTER_NANOS, next});
          next++;
        }
        if (!due.isEmpty() && now - due.peek()[0] >= 0) {
          Client follower = idle(followers, all, selector, two, second);
          long key = due.remove()[1];
          keys.put(follower, key);
          follower.send(requests.of(key));
          pending[0]++;
        }
        selector.select(ClosedLoop::read, 1);
        waiting.removeIf(
            it -> {
              Long owner = ownerNanos.get(keys.get(it[0]));
              if (owner == null) {
                return false;
              }
              wakes.recordValue(Math.max(0, it[0].respondedNanos - owner));
              followers.add(it[0]);
              return true;
            });
      }
      for (Client client : all) {
        client.close();
      }
    }
    if (wrong[0] > 0) {
      throw new IOException(wrong[0] + " responses were not 201");
    }
    return wakes;
  }

  /** Returns an idle connection, or a new one, to keep the rate. */
  private static Client idle(
      Deque<Client> idle,
      List<Client> all,
      Selector selector,
      ServerUnderTest node,
      Client.Listener listener)
      throws IOException {
    if (!idle.isEmpty()) {
      return idle.remove();
    }
    if (all.size() == MAX_CONNECTIONS) {
      throw new IOException("more than " + MAX_CONNECTIONS + " pending requests");
    }
    Client made = new Client(all.size(), selector, node.address(), listener);
    all.add(made);
    return made;
  }
}
