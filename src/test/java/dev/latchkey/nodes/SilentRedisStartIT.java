package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Direction;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node that starts while its Redis accepts connections but does not respond. */
class SilentRedisStartIT {

  @Test
  void nodeRetriesAfterASilentRedis() {
    try (RedisServer redis = RealServers.startRedis();
        CuttingProxy way = CuttingProxy.before(redis)) {
      way.swallow(Direction.TO_CLIENT);
      Map<String, String> silent =
          Map.of(
              "LATCHKEY_STORE", "redis", "LATCHKEY_REDIS_URI", "redis://127.0.0.1:" + way.port());
      try (LatchkeyProcess node = LatchkeyProcess.start(silent, "serve", "--port", "0")) {
        Await.until("the node is connected", () -> way.connections() > 0);
        way.silenceAll();
        way.pass();

        assertThat(PaymentClient.isReady(node.url())).isTrue();
      }
    }
  }
}
