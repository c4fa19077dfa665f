package dev.latchkey.bench;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.payments.UnlayeredPayments;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.simulator.PspSimulator;
import dev.latchkey.service.BaselineServer;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.util.concurrent.CountDownLatch;

/**
 * Runs one baseline as a process: {@code MODE [--uri URI] [--instances N]}. Prints a ready line
 * with its address. {@code PUT /v1/pool/N} chooses the size of the pool. The modes are those of
 * {@link #baseline}.
 */
public final class BaselineMain {

  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final long PSP_TIMEOUT_MILLIS = 65_000;

  private final Vertx vertx = BaselineServer.vertx();
  private final Arguments arguments;
  private final PspGateway psp;

  private BaselineMain(Arguments arguments) {
    this.arguments = arguments;
    PspSimulator simulator = PspSimulator.inMemory(vertx, MemoryBudget.ofHeap());
    psp = simulator.gateway(vertx, PSP_TIMEOUT_MILLIS);
  }

  /** Starts it and waits for ever. */
  public static void main(String[] args) throws Exception {
    BaselineMain main = new BaselineMain(Arguments.of(args));
    int instances = main.arguments.number("instances", Runtime.getRuntime().availableProcessors());
    BaselineServer.start(main.vertx, instances, router -> main.mount(router, instances))
        .onSuccess(port -> System.out.println("baseline ready on http://127.0.0.1:" + port))
        .onFailure(
            cause -> {
              cause.printStackTrace();
              System.exit(1);
            });
    new CountDownLatch(1).await();
  }

  private void mount(Router router, int instances) {
    router
        .put("/v1/pool/:size")
        .handler(
            ctx -> {
              PaymentPools.choose(Integer.parseInt(ctx.pathParam("size")));
              ctx.response().end();
            });
    UnlayeredPayments payments = new UnlayeredPayments(psp, MAX_BODY_BYTES);
    Baseline baseline = baseline(payments, instances);
    if (baseline.validates()) {
      payments.mount(router, baseline);
    } else {
      payments.mountBare(router, baseline);
    }
  }

  private Baseline baseline(UnlayeredPayments payments, int instances) {
    return switch (arguments.mode()) {
      case "bare" -> new BareBaseline(payments, false, false);
      case "bare-paid" -> new BareBaseline(payments, true, false);
      case "bare-rendered" -> new BareBaseline(payments, true, true);
      case "hold" -> new HoldBaseline(arguments.number("hold-ms", 15_000));
      case "insert" -> new InsertBaseline(payments, pools(instances), false);
      case "insert-plain" -> new InsertBaseline(payments, pools(instances), true);
      case "textbook" -> new TextbookBaseline(payments, pools(instances), false);
      case "textbook-3" -> new TextbookBaseline(payments, pools(instances), true);
      case "set" -> new SetBaseline(vertx, payments, arguments.uri());
      default -> throw new IllegalArgumentException("no baseline " + arguments.mode());
    };
  }

  private PaymentPools pools(int instances) {
    return new PaymentPools(vertx, arguments.uri(), instances);
  }
}
