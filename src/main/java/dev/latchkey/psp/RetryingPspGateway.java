package dev.latchkey.psp;

import dev.latchkey.net.BackOff;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.psp.PspTransport.Attempt;
import dev.latchkey.psp.PspTransport.Attempt.Answered;
import dev.latchkey.psp.PspTransport.Attempt.Lost;
import dev.latchkey.psp.PspTransport.Attempt.NotSent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Sends a call again, under the same key, until the PSP answers or the time is up.
 *
 * <p>A PSP that says "not now" is asked three times, one that cannot be connected to for three
 * seconds: nothing was done, and the caller may come back. Once an answer was lost, only the time
 * altogether ends the search, since money may have moved. An attempt is never cut short to make
 * another: a slow PSP gets all the time that is left. What is sent depends on the arguments alone.
 */
final class RetryingPspGateway implements PspGateway {
  static final int MAX_REFUSALS = 3;
  static final long UNREACHABLE_MILLIS = 3_000;

  private static final BackOff BACK_OFF = new BackOff(200, 2_000);

  private final PspTransport transport;
  private final DelayScheduler scheduler;
  private final RandomGenerator random;
  private final LongSupplier clockMillis;
  private final long timeoutMillis;

  /**
   * Makes a gateway.
   *
   * @param transport how to reach the PSP
   * @param scheduler times the retries
   * @param random spreads them; safe for use by any thread
   * @param clockMillis a clock that never goes back
   * @param timeoutMillis for the PSP's answer, retries included; positive
   */
  RetryingPspGateway(
      PspTransport transport,
      DelayScheduler scheduler,
      RandomGenerator random,
      LongSupplier clockMillis,
      long timeoutMillis) {
    if (timeoutMillis <= 0) {
      throw new IllegalArgumentException("psp-timeout of " + timeoutMillis + " ms is not positive");
    }
    this.transport = transport;
    this.scheduler = scheduler;
    this.random = random;
    this.clockMillis = clockMillis;
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  public Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture) {
    return start(idempotencyKey, new PspCall.Charge(amount, currency, paymentMethod, capture));
  }

  @Override
  public Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount) {
    return start(idempotencyKey, new PspCall.Capture(charge, amount));
  }

  @Override
  public Future<PspResult> cancel(String idempotencyKey, String charge) {
    return start(idempotencyKey, new PspCall.Cancel(charge));
  }

  @Override
  public Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount) {
    return start(idempotencyKey, new PspCall.Refund(charge, amount, false));
  }

  @Override
  public Future<Void> close() {
    return transport.close();
  }

  private Future<PspResult> start(String key, PspCall call) {
    Search search = new Search(key, call);
    search.attempt();
    return search.found.future();
  }

  /** One call on its way to an answer. Its steps follow each other, none runs beside another. */
  private final class Search {
    private final String key;
    private final PspCall call;
    private final Promise<PspResult> found = Promise.promise();
    private final long beganMillis = clockMillis.getAsLong();
    private int attempts;
    private int refusals;
    private boolean mayHaveBeenDone;

    private Search(String key, PspCall call) {
      this.key = key;
      this.call = call;
    }

    private void attempt() {
      attempts++;
      long leftMillis = Math.max(1, timeoutMillis - elapsedMillis());
      transport
          .send(key, call, leftMillis)
          .onComplete(
              sent -> settle(sent.succeeded() ? sent.result() : new Lost(sent.cause().toString())));
    }

    private void settle(Attempt attempt) {
      if (attempt instanceof Answered answered) {
        if (!(answered.result() instanceof Unavailable unavailable)) {
          found.complete(answered.result());
          return;
        }
        refusals++;
        retry(refusals >= MAX_REFUSALS, timeoutMillis, unavailable.detail());
      } else if (attempt instanceof NotSent notSent) {
        retry(false, Math.min(timeoutMillis, UNREACHABLE_MILLIS), notSent.detail());
      } else if (attempt instanceof Lost lost) {
        mayHaveBeenDone = true;
        retry(false, timeoutMillis, lost.detail());
      }
    }

    private void retry(boolean enough, long limitMillis, String detail) {
      long delayMillis = BACK_OFF.delayMillis(attempts, random);
      long endMillis = mayHaveBeenDone ? timeoutMillis : limitMillis;
      if ((enough && !mayHaveBeenDone) || elapsedMillis() + delayMillis >= endMillis) {
        found.complete(
            new Unavailable("no answer after " + attempts + " attempts, the last: " + detail));
        return;
      }
      scheduler.after(delayMillis, this::attempt);
    }

    private long elapsedMillis() {
      return clockMillis.getAsLong() - beganMillis;
    }
  }
}
