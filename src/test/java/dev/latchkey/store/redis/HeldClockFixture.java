package dev.latchkey.store.redis;

import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Uses a clock that the test holds, an hour ahead of the servers so that no time to live fires: the
 * scripts alone decide expiry, to the millisecond.
 */
final class HeldClockFixture extends RedisFixture {

  /** One on each half of the slots: a script reads the one that its server has. */
  private static final List<String> CLOCKS = List.of("test:now:{bar}", "test:now:{foo}");

  private static final String LUA =
      """
      local held = redis.pcall('GET', '%s')
      if type(held) == 'table' then
        held = redis.pcall('GET', '%s')
      end
      local now = tonumber(held)
      """
          .formatted(CLOCKS.toArray());

  private final List<RedisServer> nodes;

  HeldClockFixture(Vertx vertx, List<RedisServer> nodes, Runnable awaitServers) {
    super(vertx, nodes, LUA, awaitServers);
    this.nodes = nodes;
    long ahead = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
    onEach("SET", ahead);
  }

  private void onEach(String command, long value) {
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).command(command, CLOCKS.get(i), Long.toString(value));
    }
  }

  @Override
  public void advanceMillis(long millis) {
    onEach("INCRBY", millis);
  }

  @Override
  public boolean hasExactClock() {
    return true;
  }
}
