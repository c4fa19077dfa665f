package dev.latchkey.service;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.service.ops.NodeMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.UnaryOperator;

/**
 * A node of the real service, all of it but the process: a free port, two HTTP verticles. Closed
 * with its Vert.x.
 *
 * @param parts what stands behind the front
 * @param server the front
 * @param metrics what {@code /metrics} shows
 */
public record InProcessService(ServiceParts parts, LatchkeyServer server, NodeMetrics metrics) {

  /**
   * Starts a node.
   *
   * @param vertx what it runs on
   * @param store of its records
   * @param ledger of its payments, written by the store
   * @param psp moves the money
   * @param change puts other parts in the place of the real ones, or gives them back
   * @param args options of {@code serve}
   * @return the node, taking requests
   */
  public static Future<InProcessService> start(
      Vertx vertx,
      IdempotencyStore store,
      Ledger ledger,
      PspGateway psp,
      UnaryOperator<ServiceParts> change,
      String... args) {
    ServeConfig config = TestService.config(args);
    NodeMetrics metrics = new NodeMetrics();
    ServiceParts parts = change.apply(Wiring.service(vertx, config, metrics, store, ledger, psp));
    return LatchkeyServer.start(vertx, config, parts, metrics, ConnectionLimits.DEFAULT)
        .map(server -> new InProcessService(parts, server, metrics));
  }
}
