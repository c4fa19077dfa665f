package dev.latchkey.store.redis;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.redis.connection.RedisConnectionOptions;
import dev.latchkey.store.redis.connection.RedisConnections;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The store of one node, for tests of outages. */
final class RedisNode implements AutoCloseable {

  static final int MAX_WAITING_CALLS = 64;

  /** Longer than a call takes on any machine. */
  private static final long LIMIT_SECONDS = 60;

  final RedisConnections connections;
  final RedisStore store;

  RedisNode(Vertx vertx, String... endpoints) {
    this(vertx, new RedisOptions().setEndpoints(List.of(endpoints)));
  }

  RedisNode(Vertx vertx, RedisOptions options) {
    this(vertx, options, RedisConnectionOptions.DEFAULT_CALL_TIMEOUT_MILLIS);
  }

  private RedisNode(Vertx vertx, RedisOptions options, long callTimeoutMillis) {
    connections =
        RedisConnections.create(
            vertx,
            options,
            new RedisConnectionOptions()
                .setConnectTimeoutMillis(callTimeoutMillis / 2)
                .setCallTimeoutMillis(callTimeoutMillis)
                .setMaxWaitingCalls(MAX_WAITING_CALLS));
    store = RedisStore.create(connections, RedisEffectKinds.NONE);
  }

  /** Has short timeouts, for a silent server. */
  static RedisNode impatient(Vertx vertx, String endpoint) {
    return new RedisNode(vertx, new RedisOptions().setConnectionString(endpoint), 800);
  }

  /** Has a timeout longer than the test. */
  static RedisNode patient(Vertx vertx, String endpoint) {
    long limitMillis = TimeUnit.SECONDS.toMillis(LIMIT_SECONDS);
    return new RedisNode(vertx, new RedisOptions().setConnectionString(endpoint), limitMillis);
  }

  StoreCalls calls() {
    return new StoreCalls(store);
  }

  /** Waits until it is ready; a busy machine may need more than one timeout. */
  RedisNode ready() {
    StoreCalls.eventually(store::ready);
    return this;
  }

  @Override
  public void close() {
    await(store.close());
    await(connections.close());
  }
}
