package dev.latchkey.nodes;

import dev.latchkey.psp.ForwardingPsp;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/**
 * A gateway that can hold results back: the PSP has executed the call, but the node does not know
 * yet. Safe for any thread.
 */
final class HeldPspGateway extends ForwardingPsp {

  private Promise<Void> gate = Promise.promise();
  private boolean refuses;
  private int held;

  HeldPspGateway(PspGateway behind) {
    super(behind);
    gate.complete();
  }

  /** Holds results back from now on. */
  synchronized void shut() {
    gate = Promise.promise();
    held = 0;
    refuses = false;
  }

  /** The next call does not reach the PSP; its result is unavailable, and is held back too. */
  synchronized void refuseNext() {
    refuses = true;
  }

  /** Returns the results held back since {@link #shut}. */
  synchronized int held() {
    return held;
  }

  /** Releases all results and holds back none. */
  synchronized void open() {
    gate.tryComplete();
  }

  @Override
  protected Future<PspResult> call(Supplier<Future<PspResult>> call) {
    boolean refused;
    synchronized (this) {
      refused = refuses;
      refuses = false;
    }
    Future<PspResult> result =
        refused
            ? Future.succeededFuture(new PspResult.Unavailable("refused by the test"))
            : call.get();
    return result.compose(value -> passed().map(value));
  }

  private synchronized Future<Void> passed() {
    held++;
    return gate.future();
  }
}
