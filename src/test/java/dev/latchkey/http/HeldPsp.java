package dev.latchkey.http;

import dev.latchkey.psp.ForwardingPsp;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A way to the real PSP on which answers can be kept back: the PSP has done what it was asked, the
 * handler does not know yet. Safe for use by any thread.
 */
final class HeldPsp extends ForwardingPsp {

  private final AtomicInteger calls = new AtomicInteger();
  private final List<Runnable> held = new ArrayList<>();
  private boolean holding;
  private boolean refusesNext;
  private boolean losesNext;

  HeldPsp(PspGateway behind) {
    super(behind);
  }

  /** How often a handler asked for anything. */
  int calls() {
    return calls.get();
  }

  /** From now on answers are kept back. */
  synchronized void hold() {
    holding = true;
  }

  /** The next call does not reach the PSP and is answered as if nobody knew more. */
  synchronized void refuseNext() {
    refusesNext = true;
  }

  /** The next call reaches the PSP and is done, but nobody ever hears so. */
  synchronized void loseNextAnswer() {
    losesNext = true;
  }

  /** Waits until so many calls were done by the PSP and their answers are kept back. */
  void awaitHeld(int count) {
    Await.until(
        "the PSP has done " + count + " calls",
        () -> {
          synchronized (this) {
            return held.size() >= count;
          }
        });
  }

  /** Gives all answers, from now on at once. */
  void letGo() {
    List<Runnable> all;
    synchronized (this) {
      holding = false;
      all = List.copyOf(held);
      held.clear();
    }
    all.forEach(Runnable::run);
  }

  @Override
  protected Future<PspResult> call(Supplier<Future<PspResult>> asked) {
    calls.incrementAndGet();
    synchronized (this) {
      if (refusesNext) {
        refusesNext = false;
        return Future.succeededFuture(new PspResult.Unavailable("refused by the test"));
      }
    }
    Future<PspResult> real = asked.get();
    if (isLost()) {
      return real.map(done -> new PspResult.Unavailable("lost by the test"));
    }
    Promise<PspResult> answer = Promise.promise();
    real.onComplete(
        done -> {
          synchronized (this) {
            if (holding) {
              held.add(() -> real.onComplete(answer));
              return;
            }
          }
          real.onComplete(answer);
        });
    return answer.future();
  }

  private synchronized boolean isLost() {
    boolean lost = losesNext;
    losesNext = false;
    return lost;
  }
}
