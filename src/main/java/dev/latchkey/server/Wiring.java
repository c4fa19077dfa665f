package dev.latchkey.server;

import dev.latchkey.idempotency.IdempotencyNode;
import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.Subscription;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.List;

/** Puts the parts of the processes together. */
public final class Wiring {

  private Wiring() {}

  /**
   * Makes what {@code serve} runs.
   *
   * @param vertx the instance of the process
   * @param config how to run
   * @param metrics to be told what the node does
   * @return the parts, ready to work
   */
  static Future<ServiceParts> service(Vertx vertx, ServeConfig config, NodeMetrics metrics) {
    IdempotencyStore store = absentStore();
    IdempotencyNode node = IdempotencyNode.create(vertx, store, config.nodeOptions(), metrics);
    return Future.succeededFuture(new ServiceParts(node, store::probe, router -> {}));
  }

  /**
   * Starts the simulated PSP.
   *
   * @param vertx the instance of the process
   * @param config how to run
   * @return the port it listens on
   */
  static Future<Integer> psp(Vertx vertx, PspConfig config) {
    return Future.failedFuture("the simulated PSP is not part of this build: " + config);
  }

  /** Returns commands beside {@code serve} and {@code psp}, annotated for picocli. */
  public static List<Object> moreCommands() {
    return List.of();
  }

  private static IdempotencyStore absentStore() {
    return (IdempotencyStore)
        Proxy.newProxyInstance(
            Wiring.class.getClassLoader(),
            new Class<?>[] {IdempotencyStore.class},
            (proxy, method, args) ->
                method.getReturnType() == Future.class
                    ? Future.succeededFuture()
                    : (Subscription) () -> {});
  }
}
