package dev.latchkey.payments;

import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/** Gives the answers it was told to give, and writes down what it was asked. */
final class ScriptedPsp implements PspGateway {

  final List<String> calls = new ArrayList<>();
  private final Deque<Runnable> meanwhile = new ArrayDeque<>();
  private final Deque<PspResult> answers = new ArrayDeque<>();

  ScriptedPsp answers(PspResult result) {
    return answers(result, () -> {});
  }

  /** Gives an answer after something else has happened. */
  ScriptedPsp answers(PspResult result, Runnable before) {
    answers.add(result);
    meanwhile.add(before);
    return this;
  }

  @Override
  public Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture) {
    return asked(
        "charge "
            + idempotencyKey
            + ' '
            + amount
            + ' '
            + currency
            + ' '
            + paymentMethod
            + ' '
            + capture);
  }

  @Override
  public Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount) {
    return asked("capture " + idempotencyKey + ' ' + charge + ' ' + amount);
  }

  @Override
  public Future<PspResult> cancel(String idempotencyKey, String charge) {
    return asked("cancel " + idempotencyKey + ' ' + charge);
  }

  @Override
  public Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount) {
    return asked("refund " + idempotencyKey + ' ' + charge + ' ' + amount);
  }

  private Future<PspResult> asked(String call) {
    calls.add(call);
    meanwhile.remove().run();
    return Future.succeededFuture(answers.remove());
  }
}
