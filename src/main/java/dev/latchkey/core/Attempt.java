package dev.latchkey.core;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/**
 * One execution of an operation under one claim. It may outlive its entry in the table: after a
 * lost lease or the run limit, the key continues without the attempt, whose completion counts only
 * if the store still holds its token. Safe for use by any thread.
 */
public final class Attempt extends AttemptState {

  private final AttemptFinisher finisher;

  Attempt(AttemptFinisher finisher, KeyEntry entry, ClaimRequest request, long nowNanos) {
    super(entry, request, nowNanos);
    this.finisher = finisher;
  }

  /** Returns the number of claims granted for the key, this one included. */
  public int number() {
    return granted().attempt();
  }

  /** Returns the operation to execute. */
  @Override
  public Operation operation() {
    return entry().operation();
  }

  /** Returns the step results recorded by earlier attempts, by step name. */
  public Map<String, Buffer> steps() {
    return granted().steps();
  }

  /**
   * Records a step under the claim.
   *
   * @param name the step's name
   * @param result the step's result
   * @return the store's result
   */
  public Future<StepResult> recordStep(String name, Buffer result) {
    return finisher.recordStep(this, name, result);
  }

  /**
   * Ends the attempt with a response to store. The caller is notified of the outcome.
   *
   * @param response the response
   * @param effects written with the response
   */
  public void complete(StoredResponse response, List<Effect> effects) {
    finisher.complete(this, AttemptResult.kept(response, effects));
  }

  /**
   * Returns whether the store runs transactions on a connection type.
   *
   * @param connectionType the type that the work needs
   * @return whether {@link #complete(TransactionWork, List)} accepts such work
   */
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return finisher.runsTransactionsOn(connectionType);
  }

  /**
   * Ends the attempt with a response made inside the completing transaction. The caller is notified
   * of the outcome.
   *
   * @param work makes the response
   * @param effects written with the response
   */
  public void complete(TransactionWork<?> work, List<Effect> effects) {
    finisher.complete(this, AttemptResult.inTransaction(work, effects));
  }

  /**
   * Ends the attempt with a response that is not stored. The caller is notified of the outcome.
   *
   * @param response also sent to the waiters on this node
   */
  public void release(StoredResponse response) {
    finisher.release(this, AttemptResult.released(response));
  }

  /**
   * Treats the attempt as past its run limit: its response was made by someone else, such as a
   * timeout, and its handler still runs. The caller gets {@link CallerResponse.RunLimitExceeded}.
   * The claim is not renewed, and not released before the handler ends. The handler must still end
   * in {@link #complete} or {@link #release}.
   */
  public void passRunLimit() {
    finisher.passRunLimit(this);
  }

  /** Ends with the result of an earlier attempt of the same caller. */
  void endAs(AttemptResult earlier) {
    if (earlier.keep()) {
      finisher.complete(this, earlier);
    } else {
      finisher.release(this, earlier);
    }
  }

  /** Ends without execution. */
  void giveBack() {
    finisher.giveBack(this);
  }
}
