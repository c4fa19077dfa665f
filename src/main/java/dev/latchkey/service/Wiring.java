package dev.latchkey.service;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.load.LoadCommand;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.payments.PaymentsApi;
import dev.latchkey.payments.PaymentsOptions;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.simulator.PspSimulator;
import dev.latchkey.psp.simulator.SimulatorOptions;
import dev.latchkey.psp.simulator.SimulatorServer;
import dev.latchkey.psp.simulator.TestPaymentMethod;
import dev.latchkey.service.cli.PspConfig;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.cli.StoreConfig;
import dev.latchkey.service.http.Tenant;
import dev.latchkey.service.ops.NodeMetrics;
import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the parts of the processes together. */
public final class Wiring {

  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);

  private Wiring() {}

  /**
   * Makes what {@code serve} runs.
   *
   * @param vertx the instance of the process
   * @param config how to run
   * @param metrics to be told what the node does
   * @return the parts, ready to work; fails when a store cannot be opened
   */
  static Future<ServiceParts> service(Vertx vertx, ServeConfig config, NodeMetrics metrics) {
    warnOfLocalPsp(config.stores(), config.pspUrl());
    MemoryBudget budget = MemoryBudget.ofHeap();
    return StoreWiring.open(vertx, config.stores(), budget)
        .map(
            opened ->
                service(
                    vertx,
                    config,
                    metrics,
                    opened.store(),
                    opened.ledger(),
                    gateway(vertx, config, budget)));
  }

  /** A charge that one node's simulator knows is unknown to the next attempt on another node. */
  static void warnOfLocalPsp(StoreConfig stores, Optional<URI> pspUrl) {
    if (stores.isShared() && pspUrl.isEmpty()) {
      LOG.warn(
          "the PSP is simulated inside this process, which is for one node alone and forgets at a"
              + " restart, while the store {} is shared and does not: set --psp-url",
          stores.store().label());
    }
  }

  /** Joins given parts; for tests that look at, or break, one of them. */
  static ServiceParts service(
      Vertx vertx,
      ServeConfig config,
      NodeMetrics metrics,
      IdempotencyStore store,
      Ledger ledger,
      PspGateway psp) {
    IdempotencyNode node = IdempotencyNode.create(vertx, store, config.nodeOptions(), metrics);
    node.startPurging();
    PaymentsOptions options =
        PaymentsOptions.of(
            config.idempotencyOptions(),
            Tenant::of,
            config.maxBodyBytes(),
            TestPaymentMethod::isKnown);
    PaymentsApi api = new PaymentsApi(ledger, psp, node, options);
    return new ServiceParts(
        node,
        () -> Future.all(store.probe(), ledger.probe()).mapEmpty(),
        api.keyNote(),
        api::mount);
  }

  private static PspGateway gateway(Vertx vertx, ServeConfig config, MemoryBudget budget) {
    long timeoutMillis = config.pspTimeout().toMillis();
    return config
        .pspUrl()
        .map(url -> PspGateway.overHttp(vertx, url, timeoutMillis))
        .orElseGet(() -> PspSimulator.inMemory(vertx, budget).gateway(vertx, timeoutMillis));
  }

  /**
   * Starts the simulated PSP.
   *
   * @param vertx the instance of the process
   * @param config how to run
   * @return the port it listens on
   */
  static Future<Integer> psp(Vertx vertx, PspConfig config) {
    SimulatorOptions options =
        new SimulatorOptions(
            config.host(), config.port(), config.data(), config.secret(), config.eventsUrl());
    return new SimulatorServer(vertx, options).start();
  }

  /** Returns commands beside {@code serve} and {@code psp} by name, annotated for picocli. */
  public static Map<String, Supplier<?>> moreCommands() {
    return Map.of("load", LoadCommand::new);
  }
}
