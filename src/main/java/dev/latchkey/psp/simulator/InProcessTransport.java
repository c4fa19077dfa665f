package dev.latchkey.psp.simulator;

import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspTransport;
import dev.latchkey.psp.simulator.SimulatorResult.Approved;
import dev.latchkey.psp.simulator.SimulatorResult.Declined;
import dev.latchkey.psp.simulator.SimulatorResult.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Calls a simulator in this process. A lost response is lost here too. */
final class InProcessTransport implements PspTransport {

  private final Vertx vertx;
  private final PspSimulator simulator;

  InProcessTransport(Vertx vertx, PspSimulator simulator) {
    this.vertx = vertx;
    this.simulator = simulator;
  }

  @Override
  public Future<Outcome> send(String key, PspCall call, long timeoutMillis) {
    Future<Outcome> outcome = simulator.call(key, call).map(InProcessTransport::outcome);
    if (outcome.isComplete()) {
      return outcome;
    }
    Context context = vertx.getOrCreateContext();
    Promise<Outcome> first = Promise.promise();
    long timer =
        vertx.setTimer(
            timeoutMillis,
            id -> first.tryComplete(new Outcome.Lost("no response in " + timeoutMillis + " ms")));
    outcome.onSuccess(
        result ->
            context.runOnContext(
                now -> {
                  vertx.cancelTimer(timer);
                  first.tryComplete(result);
                }));
    return first.future();
  }

  private static Outcome outcome(SimulatorResult result) {
    if (result instanceof Approved approved) {
      return new Outcome.Responded(
          new PspResult.Approved(
              approved.charge().toPspCharge(), Optional.ofNullable(approved.refund())));
    }
    if (result instanceof Declined declined) {
      return new Outcome.Responded(new PspResult.Declined(declined.declineCode()));
    }
    return result instanceof Problem problem
        ? new Outcome.Responded(failure(problem))
        : new Outcome.Lost("the response was lost");
  }

  private static PspResult failure(Problem problem) {
    return switch (problem.status()) {
      case 404, 409 -> new PspResult.Refused(problem.detail());
      case 503 -> new PspResult.Unavailable(problem.detail());
      default -> new PspResult.Rejected(problem.status(), problem.detail());
    };
  }
}
