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
import dev.latchkey.service.cli.PspOptions;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.cli.StoreConfig;
import dev.latchkey.service.http.Tenant;
import dev.latchkey.service.ops.MeteredPsp;
import dev.latchkey.service.ops.NodeMetrics;
import dev.latchkey.service.ops.Readiness;
import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the parts of the processes. */
public final class Wiring {

  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);

  private Wiring() {}

  /**
   * Opens the stores and assembles the parts of {@code serve}.
   *
   * @param vertx the instance of the process
   * @param config the configuration
   * @param metrics receives the events of the node
   * @return the parts, ready for requests; fails if a store cannot be opened
   */
  static Future<ServiceParts> service(Vertx vertx, ServeConfig config, NodeMetrics metrics) {
    warnOfLocalPsp(config.stores(), config.options().pspUrl());
    PlaintextWarnings.of(config).forEach(LOG::warn);
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

  /** Charges of one node's simulator are unknown to another node's next attempt. */
  static void warnOfLocalPsp(StoreConfig stores, Optional<URI> pspUrl) {
    if (stores.isShared() && pspUrl.isEmpty()) {
      LOG.warn(
          "the PSP is simulated in this process: it is for one node and loses its state on restart,"
              + " but the store {} is shared and durable; set --psp-url",
          stores.store().label());
    }
  }

  /** Joins the given parts; for tests that replace one of them. */
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
            config.options().maxBodyBytes(),
            TestPaymentMethod::isKnown);
    PaymentsApi api = new PaymentsApi(ledger, new MeteredPsp(psp, metrics), node, options);
    return new ServiceParts(
        node,
        List.of(
            new Readiness.Check("store", store::probe),
            new Readiness.Check("ledger", ledger::probe)),
        api.keyNote(),
        api::mount);
  }

  private static PspGateway gateway(Vertx vertx, ServeConfig config, MemoryBudget budget) {
    long timeoutMillis = config.options().pspTimeout().toMillis();
    return config
        .options()
        .pspUrl()
        .map(url -> PspGateway.overHttp(vertx, url, timeoutMillis, callsPerTenant(config)))
        .orElseGet(() -> PspSimulator.inMemory(vertx, budget).gateway(vertx, timeoutMillis));
  }

  /** With API keys, one tenant gets at most half of the connections. */
  private static int callsPerTenant(ServeConfig config) {
    int all = PspGateway.MAX_CONNECTIONS;
    return config.apiKeys().isPresent() ? all / 2 : all;
  }

  /**
   * Starts the simulated PSP.
   *
   * @param vertx the instance of the process
   * @param options the options
   * @return the port it listens on
   */
  static Future<Integer> psp(Vertx vertx, PspOptions options) {
    SimulatorOptions simulator =
        new SimulatorOptions(
            options.host(), options.port(), options.data(), options.secret(), options.eventsUrl());
    return new SimulatorServer(vertx, simulator).start();
  }

  /** Returns the commands outside the service by name, annotated for picocli. */
  public static Map<String, Supplier<?>> otherCommands() {
    return Map.of("load", LoadCommand::new);
  }
}
