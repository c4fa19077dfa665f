package dev.latchkey.psp;

import dev.latchkey.net.BackOff;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.psp.PspTransport.Outcome;
import dev.latchkey.psp.PspTransport.Outcome.Lost;
import dev.latchkey.psp.PspTransport.Outcome.NotSent;
import dev.latchkey.psp.PspTransport.Outcome.Responded;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Retries a call under its key until the PSP responds or the time limit is reached.
 *
 * <p>A PSP that responds "unavailable" is called three times; connecting is retried for three
 * seconds. In both cases the call had no effect, and the caller may retry. Once a response was lost
 * only the overall time limit ends the retries, because money may have moved. A send is never cut
 * short to start another: a slow PSP gets all the remaining time.
 */
final class RetryingPspGateway implements PspGateway {
  static final int MAX_REFUSALS = 3;
  static final long UNREACHABLE_MILLIS = 3_000;

  private static final BackOff BACK_OFF = new BackOff(200, 2_000);

  private final PspTransport transport;
  private final LongFunction<Future<Void>> timer;
  private final RandomGenerator random;
  private final LongSupplier clockMillis;
  private final long timeoutMillis;

  RetryingPspGateway(
      PspTransport transport,
      LongFunction<Future<Void>> timer,
      RandomGenerator random,
      LongSupplier clockMillis,
      long timeoutMillis) {
    if (timeoutMillis <= 0) {
      throw new IllegalArgumentException("psp-timeout of " + timeoutMillis + " ms is not positive");
    }
    this.transport = transport;
    this.timer = timer;
    this.random = random;
    this.clockMillis = clockMillis;
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  public PspGateway forTenant(String tenant) {
    return new RetryingPspGateway(
        transport.forTenant(tenant), timer, random, clockMillis, timeoutMillis);
  }

  @Override
  public Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture) {
    return start(idempotencyKey, new PspCall.Charge(amount, currency, paymentMethod, capture));
  }

  @Override
  public Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount) {
    return start(idempotencyKey, new PspCall.Capture(charge, nullable(amount)));
  }

  @Override
  public Future<PspResult> cancel(String idempotencyKey, String charge) {
    return start(idempotencyKey, new PspCall.Cancel(charge));
  }

  @Override
  public Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount) {
    return start(idempotencyKey, new PspCall.Refund(charge, nullable(amount), false));
  }

  @Override
  public Future<Void> close() {
    return transport.close();
  }

  private static @Nullable Long nullable(OptionalLong amount) {
    return amount.isPresent() ? amount.getAsLong() : null;
  }

  private Future<PspResult> start(String key, PspCall call) {
    RetriedCall retried = new RetriedCall(key, call);
    retried.send();
    return retried.result.future();
  }

  /** One call until its result. Sends follow each other and never overlap. */
  private final class RetriedCall {
    private final String key;
    private final PspCall call;
    private final Promise<PspResult> result = Promise.promise();
    private final long startMillis = clockMillis.getAsLong();
    private int sends;
    private int refusals;
    private boolean responseLost;

    private RetriedCall(String key, PspCall call) {
      this.key = key;
      this.call = call;
    }

    private void send() {
      sends++;
      long leftMillis = Math.max(1, timeoutMillis - elapsedMillis());
      transport
          .send(key, call, leftMillis)
          .otherwise(failure -> new Lost(failure.toString()))
          .onSuccess(this::evaluate);
    }

    private void evaluate(Outcome outcome) {
      if (outcome instanceof Responded responded) {
        if (!(responded.result() instanceof Unavailable unavailable)) {
          result.complete(responded.result());
          return;
        }
        refusals++;
        retry(refusals < MAX_REFUSALS ? timeoutMillis : 0, unavailable.detail());
      } else if (outcome instanceof NotSent notSent) {
        retry(Math.min(timeoutMillis, UNREACHABLE_MILLIS), notSent.reason());
      } else if (outcome instanceof Lost lost) {
        responseLost = true;
        retry(timeoutMillis, lost.reason());
      }
    }

    private void retry(long limitMillis, String reason) {
      long delayMillis = BACK_OFF.delayMillis(sends, random);
      long endMillis = responseLost ? timeoutMillis : limitMillis;
      if (elapsedMillis() + delayMillis >= endMillis) {
        result.complete(new Unavailable("no response after " + sends + " sends, last: " + reason));
        return;
      }
      timer.apply(delayMillis).onSuccess(elapsed -> send());
    }

    private long elapsedMillis() {
      return clockMillis.getAsLong() - startMillis;
    }
  }
}
