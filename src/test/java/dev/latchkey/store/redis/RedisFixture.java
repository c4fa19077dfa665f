package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.store.redis.connection.RedisConnectionOptions;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.Slots;
import dev.latchkey.testing.servers.RedisCluster;
import dev.latchkey.testing.servers.RedisServer;
import dev.latchkey.testing.servers.RespConnection;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Two nodes over one durable Redis, with the clock of the server. */
public class RedisFixture implements StoreFixture {

  /** The settings that every case needs. */
  public static final String[] DURABLE = {"--appendonly", "yes", "--appendfsync", "always"};

  /** Long enough for a busy machine. */
  private static final long PATIENCE_MILLIS = 40_000;

  private final List<RedisServer> nodes;
  private final Runnable awaitServers;
  private final EffectsInRedis effects;
  private final RedisConnections connections;
  private final RedisConnections otherConnections;
  private final RedisStore store;
  private final RedisStore otherNode;

  /** Over one server, with its own clock. */
  public RedisFixture(Vertx vertx, RedisServer server) {
    this(vertx, List.of(server), Scripts.serverClock(), () -> {});
  }

  RedisFixture(Vertx vertx, List<RedisServer> nodes, String clock, Runnable awaitServers) {
    this.nodes = nodes;
    this.awaitServers = awaitServers;
    effects = new EffectsInRedis(this::home);
    nodes.forEach(node -> node.command("FLUSHALL"));
    connections = connections(vertx, nodes);
    otherConnections = connections(vertx, nodes);
    store = RedisStore.create(connections, effects, clock);
    otherNode = RedisStore.create(otherConnections, effects, clock);
    await(store.ready());
    await(otherNode.ready());
  }

  /** Over the nodes of a cluster, with a clock that moves only when it is advanced. */
  public static RedisFixture byHeldClock(Vertx vertx, RedisCluster cluster) {
    return new HeldClockFixture(vertx, cluster.nodes(), cluster::awaitOk);
  }

  static RedisConnections connections(Vertx vertx, List<RedisServer> nodes) {
    List<String> endpoints = nodes.stream().map(RedisServer::uri).toList();
    return RedisConnections.create(
        vertx,
        new RedisOptions().setEndpoints(endpoints),
        new RedisConnectionOptions()
            .setConnectTimeoutMillis(PATIENCE_MILLIS / 2)
            .setCallTimeoutMillis(PATIENCE_MILLIS));
  }

  /** The server of a key: {@link RedisCluster} gives each of two half of the slots. */
  private RedisServer home(String key) {
    return nodes.get(Slots.of(key) * nodes.size() / Slots.COUNT);
  }

  /** The two nodes, as claim stores. */
  public List<ClaimStore> claimStores() {
    return List.of(store, otherNode);
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }

  @Override
  public IdempotencyStore otherNode() {
    return otherNode;
  }

  /** Waits by the clock of the server. */
  @Override
  public void advanceMillis(long millis) {
    try (RespConnection connection = home("nothing").connect()) {
      long until = now(connection) + millis;
      for (long now = now(connection); now < until; now = now(connection)) {
        String seconds = String.format(Locale.ROOT, "%.3f", (until - now) / 1000.0);
        connection.command("BLPOP", "nothing", seconds);
      }
    }
  }

  private static long now(RespConnection connection) {
    List<?> time = (List<?>) connection.command("TIME");
    return Long.parseLong((String) time.get(0)) * 1000
        + Long.parseLong((String) time.get(1)) / 1000;
  }

  /** The server's clock runs on while a busy machine delays a test. */
  @Override
  public long shortLeaseMillis() {
    return 2_000;
  }

  @Override
  public boolean expiresByItself() {
    return true;
  }

  @Override
  public Optional<EffectProbe> effects() {
    return Optional.of(effects);
  }

  @Override
  public boolean forget(ScopedKey key) {
    String records = RedisKeys.records(key.tenant(), key.key());
    return home(records).command("DEL", records).equals(Long.valueOf(1));
  }

  @Override
  public boolean restart() {
    nodes.forEach(RedisServer::restart);
    awaitServers.run();
    StoreCalls.eventually(store::ready);
    StoreCalls.eventually(otherNode::ready);
    return true;
  }

  @Override
  public void close() {
    await(store.close());
    await(otherNode.close());
    await(connections.close());
    await(otherConnections.close());
  }
}
