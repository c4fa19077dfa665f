package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Five thousand duplicates of one request wait on one node. */
class ParkedCrowdTest {

  private static final int CROWD = 5_000;
  private static final int ROUNDS = 3;
  private static final long MAX_BYTES_PER_WAITER = 4 * 1024;

  /** So that connections of one round do not keep the ports of the next. */
  private static final int FIRST_ADDRESS = 2;

  /** Any free port, the same for all servers of one Vert.x that name it. */
  private static final int SHARED_PORT = -1;

  private static final String[] LONG_WAIT = {"--wait", "10m", "--wait-max", "10m"};

  @Test
  void theNodeLivesOnWhileTheyWaitAndWake() {
    try (Scene scene = new Scene(new MemoryFixture(), Sabotage.NONE)) {
      Node node = scene.node(LONG_WAIT);
      node.psp().hold();
      Call.Sent first = node.pay().key(scene.key()).begin();
      node.psp().awaitHeld(1);
      try (Crowd crowd = crowd(node.port(), scene.key(), FIRST_ADDRESS);
          LiveProbe probe = new LiveProbe(node)) {
        node.awaitParked(CROWD);
        int atFullHouse = probe.answers();
        Await.until("alive while they wait", () -> probe.answers() > atFullHouse + 100);
        int atRelease = probe.answers();

        scene.settle(node);

        assertThat(crowd.answers())
            .containsExactly(CROWD + " 201 replayed=true body=" + first.answer().body().hashCode());
        assertThat(probe.answers()).as("alive while they wake").isGreaterThan(atRelease);
        assertThat(probe.wrong()).isEmpty();
      }
      assertThat(scene.executions()).isEqualTo(1);
      assertThat(scene.storeCalls()).isEqualTo("CD");
      assertThat(scene.pspStats().charges()).isEqualTo(1);
    }
  }

  @Test
  void aWaiterCostsLittleMoreThanItsConnection() {
    List<Long> parked = new ArrayList<>();
    List<Long> bare = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      bare.add(bytesOfABareCrowd(FIRST_ADDRESS + 2 * round));
      parked.add(bytesOfAParkedCrowd(FIRST_ADDRESS + 2 * round + 1));
    }
    long each = (median(parked) - median(bare)) / CROWD;
    System.out.println(
        "bytes a waiter: " + each + " (parked " + parked + ", bare " + bare + " for all)");
    assertThat(each).isLessThan(MAX_BYTES_PER_WAITER);
  }

  private static long bytesOfAParkedCrowd(int localAddress) {
    try (Scene scene = new Scene(new MemoryFixture(), Sabotage.NONE)) {
      Node node = scene.node(LONG_WAIT);
      node.psp().hold();
      node.pay().key(scene.key()).begin();
      node.psp().awaitHeld(1);
      long before = usedBytes();
      try (Crowd crowd = crowd(node.port(), scene.key(), localAddress)) {
        node.awaitParked(CROWD);
        long taken = usedBytes() - before;
        scene.settle(node);
        assertThat(crowd.answers()).hasSize(1);
        return taken;
      }
    }
  }

  /** What the same connections cost where a plain handler holds the responses. */
  private static long bytesOfABareCrowd(int localAddress) {
    try (Scene scene = new Scene(new MemoryFixture(), Sabotage.NONE)) {
      Vertx vertx = scene.vertx();
      ConcurrentLinkedQueue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
      int port = 0;
      for (int i = 0; i < 2; i++) {
        HttpServer server =
            vertx
                .createHttpServer(new HttpServerOptions().setAcceptBacklog(4_096))
                .requestHandler(held::add);
        port = await(server.listen(SHARED_PORT, "127.0.0.1")).actualPort();
      }
      long before = usedBytes();
      try (Crowd crowd = crowd(port, scene.key(), localAddress)) {
        Await.until("all are held", () -> held.size() == CROWD);
        long taken = usedBytes() - before;
        held.forEach(request -> request.response().end("done"));
        assertThat(crowd.answers()).hasSize(1);
        return taken;
      }
    }
  }

  private static Crowd crowd(int port, String key, int localAddress) {
    return new Crowd(port, "/v1/payments", key, CROWD, localAddress);
  }

  /** What lives on the heap, garbage collected. */
  private static long usedBytes() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return used;
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
