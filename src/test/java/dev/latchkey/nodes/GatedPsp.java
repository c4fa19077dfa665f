package dev.latchkey.nodes;

import dev.latchkey.psp.ForwardingPsp;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/**
 * A way to the PSP whose next answer can be kept back: the PSP has done what it was asked, the node
 * does not know yet. Safe for any thread.
 */
final class GatedPsp extends ForwardingPsp {

  private Promise<Void> gate = Promise.promise();
  private boolean refuses;
  private int held;

  GatedPsp(PspGateway behind) {
    super(behind);
    gate.complete();
  }

  /** From now on answers are kept back. */
  synchronized void shut() {
    gate = Promise.promise();
    held = 0;
    refuses = false;
  }

  /** The next call does not reach the PSP, and its answer, kept back too, is that nobody knows. */
  synchronized void refuseNext() {
    refuses = true;
  }

  /** How many answers have been kept back since it was shut. */
  synchronized int held() {
    return held;
  }

  /** Gives all answers, from now on at once. */
  synchronized void open() {
    gate.tryComplete();
  }

  @Override
  protected Future<PspResult> call(Supplier<Future<PspResult>> asked) {
    boolean refused;
    synchronized (this) {
      refused = refuses;
      refuses = false;
    }
    Future<PspResult> answer =
        refused
            ? Future.succeededFuture(new PspResult.Unavailable("refused by the test"))
            : asked.get();
    return answer.compose(result -> passed().map(result));
  }

  private synchronized Future<Void> passed() {
    held++;
    return gate.future();
  }
}
