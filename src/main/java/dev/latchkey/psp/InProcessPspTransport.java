package dev.latchkey.psp;

import dev.latchkey.psp.PspAnswer.Approved;
import dev.latchkey.psp.PspAnswer.Declined;
import dev.latchkey.psp.PspAnswer.Invalid;
import dev.latchkey.psp.PspAnswer.KeyReused;
import dev.latchkey.psp.PspAnswer.NotFound;
import dev.latchkey.psp.PspAnswer.Refused;
import dev.latchkey.psp.PspAnswer.Unavailable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Calls a simulator of this process. Its lost replies are lost here as well. */
final class InProcessPspTransport implements PspTransport {
  private final Vertx vertx;
  private final PspSimulator simulator;
  private final DelayScheduler scheduler;

  InProcessPspTransport(Vertx vertx, PspSimulator simulator) {
    this.vertx = vertx;
    this.simulator = simulator;
    this.scheduler = DelayScheduler.of(vertx);
  }

  @Override
  public Future<Attempt> send(String key, PspCall call, long timeoutMillis) {
    Future<Attempt> attempt =
        simulator.call(Optional.of(key), call).map(InProcessPspTransport::attempt);
    if (attempt.isComplete()) {
      return attempt;
    }
    Context context = vertx.getOrCreateContext();
    Promise<Attempt> first = Promise.promise();
    DelayScheduler.Scheduled timeout =
        scheduler.after(
            timeoutMillis,
            () -> first.tryComplete(new Attempt.Lost("no answer in " + timeoutMillis + " ms")));
    attempt.onSuccess(
        answer ->
            context.runOnContext(
                now -> {
                  timeout.cancel();
                  first.tryComplete(answer);
                }));
    return first.future();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }

  private static Attempt attempt(PspAnswer answer) {
    if (answer instanceof PspAnswer.ReplyLost) {
      return new Attempt.Lost("the reply was lost");
    }
    return new Attempt.Answered(result(answer));
  }

  private static PspResult result(PspAnswer answer) {
    if (answer instanceof Approved approved) {
      return new PspResult.Approved(approved.charge().toPspCharge(), approved.refund());
    }
    if (answer instanceof Declined declined) {
      return new PspResult.Declined(declined.declineCode());
    }
    if (answer instanceof Refused refused) {
      return new PspResult.Refused(refused.detail());
    }
    if (answer instanceof NotFound notFound) {
      return new PspResult.Refused(notFound.detail());
    }
    if (answer instanceof KeyReused reused) {
      return new PspResult.Rejected(422, reused.detail());
    }
    return answer instanceof Unavailable unavailable
        ? new PspResult.Unavailable(unavailable.detail())
        : new PspResult.Rejected(400, answer instanceof Invalid i ? i.detail() : "");
  }
}
