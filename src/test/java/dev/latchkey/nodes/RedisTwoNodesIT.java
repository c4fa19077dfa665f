package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import dev.latchkey.testing.servers.RedisServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** On one Redis, and on a cluster of two. */
class RedisTwoNodesIT extends TwoNodesIT {

  /** On each master. */
  private static final int KEYS = 20;

  @Override
  NodesFixture open() {
    return new RedisNodesFixture();
  }

  @Test
  void clusterOfTwoMastersIsExactlyOnce() {
    try (RedisCluster cluster = RealServers.startRedisCluster()) {
      List<RedisServer> masters = cluster.nodes();
      String near = tenantOn(masters.get(0), 0);
      String far = tenantOn(masters.get(0), 1);
      String[] keys = {
        "--api-keys",
        near + ":" + near + "-secret-of-16-chars," + far + ":" + far + "-secret-of-16-chars"
      };
      try (LatchkeyProcess first = serve(cluster.uri(), keys);
          // A node finds the other master from one address.
          LatchkeyProcess second = serve(masters.get(1).uri(), keys)) {
        sendLoad(KEYS, first, second, "--api-key", near + "-secret-of-16-chars");
        sendLoad(KEYS, first, second, "--api-key", far + "-secret-of-16-chars");
      }
      assertThat(booked(masters.get(0), near)).isEqualTo(KEYS);
      assertThat(booked(masters.get(1), far)).isEqualTo(KEYS);
    }
  }

  private LatchkeyProcess serve(String redisUri, String... more) {
    return NodesFixture.serve(RedisNodesFixture.environment(redisUri), psp(), more);
  }

  /** Returns a tenant in the first or the second half of the slots. */
  private static String tenantOn(RedisServer server, int half) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "tenant" + i)
        .filter(name -> (Long) server.command("CLUSTER", "KEYSLOT", name) / 8_192 == half)
        .findFirst()
        .orElseThrow();
  }

  private static long booked(RedisServer master, String tenant) {
    List<?> fields = (List<?>) master.command("HKEYS", "latchkey:{" + tenant + "}:ledger");
    return fields.stream().filter(field -> ((String) field).startsWith("p:")).count();
  }
}
