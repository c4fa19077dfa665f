package dev.latchkey.testing.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two Redis as one cluster, slots 0 to 8191 on the first and the rest on the second. With a node
 * down the other still serves its own slots.
 */
public final class RedisCluster implements AutoCloseable {

  private static final long LIMIT_SECONDS = 60;

  private final List<RedisServer> nodes;

  private RedisCluster(List<RedisServer> nodes) {
    this.nodes = nodes;
  }

  static RedisCluster start(List<String> arguments) {
    RedisServer first = node(arguments);
    RedisServer second = node(arguments);
    RedisCluster cluster = new RedisCluster(List.of(first, second));
    addSlots(first, 0, 8_191);
    addSlots(second, 8_192, 16_383);
    // Else both start at epoch 0, and sort it out by a collision that takes seconds.
    first.command("CLUSTER", "SET-CONFIG-EPOCH", "1");
    second.command("CLUSTER", "SET-CONFIG-EPOCH", "2");
    first.command("CLUSTER", "MEET", second.host(), Integer.toString(second.port()));
    cluster.awaitOk();
    return cluster;
  }

  /** Returns the two nodes. */
  public List<RedisServer> nodes() {
    return nodes;
  }

  /** Returns the addresses of both as {@code --redis-uri} takes them. */
  public String uri() {
    return nodes.stream().map(RedisServer::uri).collect(Collectors.joining(","));
  }

  /** Waits until both nodes say that the cluster is whole, as after a restart. */
  public void awaitOk() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    for (RedisServer node : nodes) {
      while (!isOk(node)) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("no cluster: " + node.command("CLUSTER", "INFO"));
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }

  /** One by one, as Redis 6.2 wants it. */
  private static void addSlots(RedisServer node, int from, int to) {
    Stream<String> slots = IntStream.rangeClosed(from, to).mapToObj(Integer::toString);
    node.command(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
  }

  private static boolean isOk(RedisServer node) {
    String info = (String) node.command("CLUSTER", "INFO");
    return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:2");
  }

  private static RedisServer node(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no"));
    // Longer than a test looks at a dead node: who misses another for so long serves nothing.
    all.addAll(List.of("--cluster-node-timeout", "60000"));
    return new RedisServer(EmbeddedRedis.start(all));
  }
}
