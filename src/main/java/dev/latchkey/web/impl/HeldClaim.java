package dev.latchkey.web.impl;

import dev.latchkey.core.Attempt;
import dev.latchkey.core.Operation;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.web.Idempotency;
import dev.latchkey.web.LostLeaseException;
import dev.latchkey.web.Reply;
import dev.latchkey.web.fingerprint.DownstreamKey;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A claim in the hands of the handler that runs under it. Confined to the request's context. */
final class HeldClaim implements Idempotency {

  /** Most effects of one request. */
  static final int MAX_EFFECTS = 1_000;

  /** Ends the attempt with an answer made inside the completing transaction. */
  @FunctionalInterface
  interface Transactions {
    <C> void run(Class<C> connectionType, Function<C, Future<Reply>> work, List<Effect> effects);
  }

  private final ContextInternal context;
  private final Transactions transactions;
  private Attempt attempt;
  private final List<Effect> effects = new ArrayList<>(2);
  private final Map<String, Buffer> stepsOfThisRun = new HashMap<>();
  private @Nullable Handler<EffectRefused> refusalHandler;
  private @Nullable Runnable displacedHandler;
  private int refusals;
  private boolean answered;
  private boolean keep = true;

  HeldClaim(ContextInternal context, Attempt attempt, Transactions transactions) {
    this.context = context;
    this.attempt = attempt;
    this.transactions = transactions;
  }

  @Override
  public String key() {
    return operation().key().key();
  }

  @Override
  public String tenant() {
    return operation().key().tenant();
  }

  @Override
  public int attempt() {
    return attempt.number();
  }

  @Override
  public String downstreamKey(String name) {
    Operation operation = operation();
    return DownstreamKey.derive(
        operation.key().tenant(),
        operation.key().key(),
        operation.key().route(),
        operation.fingerprint(),
        name);
  }

  @Override
  public Future<Buffer> step(String name, Supplier<Future<Buffer>> work) {
    if (name.isEmpty() || name.length() > IdempotencyStore.MAX_STEP_NAME_CHARS) {
      throw new IllegalArgumentException(
          "step name has "
              + name.length()
              + " characters, allowed are 1 to "
              + IdempotencyStore.MAX_STEP_NAME_CHARS);
    }
    Buffer recorded = stepsOfThisRun.getOrDefault(name, attempt.steps().get(name));
    if (recorded != null) {
      return context.succeededFuture(recorded.copy());
    }
    Attempt under = attempt;
    Promise<Recording> onContext = context.promise();
    work.get()
        .compose(
            result -> {
              Objects.requireNonNull(result, () -> "step " + name + " gave no result");
              return under.recordStep(name, result).map(became -> new Recording(result, became));
            })
        .onComplete(onContext);
    return onContext.future().compose(it -> recorded(name, it.result(), it.became()));
  }

  /** What a step gave, and what became of recording it. */
  private record Recording(Buffer result, StepResult became) {}

  private Future<Buffer> recorded(String name, Buffer result, StepResult became) {
    if (became == StepResult.LOST_LEASE) {
      return Future.failedFuture(new LostLeaseException(name));
    }
    if (became == StepResult.TOO_MANY) {
      return Future.failedFuture(
          new IllegalStateException(
              "step "
                  + name
                  + ": "
                  + result.length()
                  + " bytes, or one step more than "
                  + IdempotencyStore.MAX_STEPS
                  + ", are more than the store records"));
    }
    stepsOfThisRun.put(name, result.copy());
    return Future.succeededFuture(result);
  }

  @Override
  public Idempotency enlist(Effect effect) {
    if (answered) {
      throw new IllegalStateException(
          "effect " + effect.name() + " comes too late, the response has begun");
    }
    if (effects.size() >= MAX_EFFECTS) {
      throw new IllegalStateException("a request enlists at most " + MAX_EFFECTS + " effects");
    }
    effects.add(effect);
    return this;
  }

  @Override
  public <C> void transaction(Class<C> connectionType, Function<C, Future<Reply>> work) {
    if (answered) {
      throw new IllegalStateException("the transaction comes too late, the response has begun");
    }
    if (!attempt.runsTransactionsOn(connectionType)) {
      throw new IllegalStateException(
          "the store runs no transactions on " + connectionType.getName());
    }
    transactions.run(connectionType, work, close());
  }

  @Override
  public Idempotency onRefused(Handler<EffectRefused> handler) {
    refusalHandler = handler;
    return this;
  }

  @Override
  public Idempotency onDisplaced(Runnable handler) {
    displacedHandler = handler;
    return this;
  }

  @Override
  public Idempotency doNotKeep() {
    keep = false;
    return this;
  }

  boolean mayKeep() {
    return keep;
  }

  /** The response is there: nothing can be added. */
  List<Effect> close() {
    answered = true;
    return List.copyOf(effects);
  }

  /** Goes on under another claim on the same key. */
  void adopt(Attempt other) {
    attempt = other;
  }

  /** An effect was refused: drops them all, and gives the handler that answers anew, if it may. */
  Optional<Handler<EffectRefused>> reopen() {
    answered = false;
    effects.clear();
    keep = true;
    refusals++;
    return refusals > MAX_REFUSALS ? Optional.empty() : Optional.ofNullable(refusalHandler);
  }

  /** Another request has the key: nothing of this one counts. */
  void displaced() {
    if (displacedHandler != null) {
      displacedHandler.run();
    }
  }

  /** Nothing of what was enlisted was written; a failing handler answers anew. */
  void rollBack() {
    answered = false;
    effects.clear();
  }

  private Operation operation() {
    return attempt.operation();
  }
}
