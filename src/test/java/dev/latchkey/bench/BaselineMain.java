package dev.latchkey.bench;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.payments.UnlayeredPayments;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.simulator.PspSimulator;
import dev.latchkey.service.BaselineServer;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs one baseline as a process: {@code MODE [--uri URI] [--instances N]}. Prints a ready line
 * with its address. {@code PUT /v1/pool/N} chooses the size of the pool. The modes are those of
 * {@link #baseline}.
 */
public final class BaselineMain {

  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final long PSP_TIMEOUT_MILLIS = 65_000;

  private final Vertx vertx = BaselineServer.vertx();
  private final PspGateway psp =
      PspSimulator.inMemory(vertx, MemoryBudget.ofHeap()).gateway(vertx, PSP_TIMEOUT_MILLIS);

  @Parameters private String mode;

  @Option(names = "--uri")
  private String uri;

  @Option(names = "--instances")
  private int instances = Runtime.getRuntime().availableProcessors();

  @Option(names = "--hold-ms")
  private int holdMillis = 15_000;

  private BaselineMain() {}

  /** Starts it and waits for ever. */
  public static void main(String[] args) throws Exception {
    BaselineMain main = CommandLine.populateCommand(new BaselineMain(), args);
    BaselineServer.start(main.vertx, main.instances, main::mount)
        .onSuccess(port -> System.out.println("baseline ready on http://127.0.0.1:" + port))
        .onFailure(
            cause -> {
              cause.printStackTrace();
              System.exit(1);
            });
    new CountDownLatch(1).await();
  }

  private void mount(Router router) {
    router
        .put("/v1/pool/:size")
        .handler(
            ctx -> {
              PaymentPools.choose(Integer.parseInt(ctx.pathParam("size")));
              ctx.response().end();
            });
    UnlayeredPayments payments = new UnlayeredPayments(psp, MAX_BODY_BYTES);
    Baseline baseline = baseline(payments);
    if (baseline.validates()) {
      payments.mount(router, baseline);
    } else {
      payments.mountBare(router, baseline);
    }
  }

  private Baseline baseline(UnlayeredPayments payments) {
    return switch (mode) {
      case "bare" -> new BareBaseline(payments, false, false);
      case "bare-paid" -> new BareBaseline(payments, true, false);
      case "bare-rendered" -> new BareBaseline(payments, true, true);
      case "hold" -> new HoldBaseline(holdMillis);
      case "insert" -> new InsertBaseline(payments, pools(), false);
      case "insert-plain" -> new InsertBaseline(payments, pools(), true);
      case "textbook" -> new TextbookBaseline(payments, pools(), false);
      case "textbook-3" -> new TextbookBaseline(payments, pools(), true);
      case "set" -> new SetBaseline(vertx, payments, uri);
      default -> throw new IllegalArgumentException("no baseline " + mode);
    };
  }

  private PaymentPools pools() {
    return new PaymentPools(vertx, uri, instances);
  }
}
