package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.psp.simulator.SimulatorOptions;
import dev.latchkey.psp.simulator.SimulatorServer;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.Optional;

/** A simulated PSP that all nodes share, on its own port. */
final class TestPsp implements AutoCloseable {

  private final Vertx vertx = TestVertx.create();
  private final URI url;

  TestPsp() {
    SimulatorOptions options =
        new SimulatorOptions("127.0.0.1", 0, Optional.empty(), Optional.empty(), Optional.empty());
    int port = await(new SimulatorServer(vertx, options).start());
    url = URI.create("http://127.0.0.1:" + port);
  }

  URI url() {
    return url;
  }

  JsonObject stats() {
    return new JsonObject(PaymentClient.get(url, "/stats").body());
  }

  long charges() {
    return stats().getLong("charges");
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
