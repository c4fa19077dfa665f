package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.psp.PspTransport.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class RetryingPspGatewayTest {
  private static final long BUDGET_MILLIS = 65_000;

  private final ManualTime time = new ManualTime();
  private final List<Sent> sent = new ArrayList<>();

  private record Sent(String key, PspCall call, long timeoutMillis, long atMillis) {}

  private RetryingPspGateway gateway(Function<Integer, Future<Outcome>> psp) {
    PspTransport transport =
        new PspTransport() {
          @Override
          public Future<Outcome> send(String key, PspCall call, long timeoutMillis) {
            sent.add(new Sent(key, call, timeoutMillis, time.getAsLong()));
            return psp.apply(sent.size());
          }

          @Override
          public Future<Void> close() {
            return Future.succeededFuture();
          }
        };
    return new RetryingPspGateway(transport, time, new Random(1), time, BUDGET_MILLIS);
  }

  private static Future<Outcome> responded(PspResult result) {
    return Future.succeededFuture(new Outcome.Responded(result));
  }

  private static Future<PspResult> charge(PspGateway gateway) {
    return gateway.charge("k", 5, "EUR", "pm_card_visa", true);
  }

  @Test
  void finalResultIsReturnedWithoutRetry() {
    PspResult declined = new Declined("generic_decline");
    assertThat(charge(gateway(n -> responded(declined))).result()).isEqualTo(declined);
    assertThat(sent).hasSize(1);
    assertThat(time.waiting()).isZero();
  }

  @Test
  void unavailablePspIsCalledThreeTimesWithinASecond() {
    Future<PspResult> result = charge(gateway(n -> responded(new Unavailable("503"))));
    time.advance(1_000);
    assertThat(result.result()).isInstanceOf(Unavailable.class);
    assertThat(sent).hasSize(3).allMatch(s -> s.key().equals("k"));
    assertThat(sent.stream().map(Sent::call).distinct()).hasSize(1);
  }

  @Test
  void connectingIsRetriedForThreeSeconds() {
    Future<PspResult> result =
        charge(gateway(n -> Future.succeededFuture(new Outcome.NotSent("refused"))));
    time.advance(RetryingPspGateway.UNREACHABLE_MILLIS);
    assertThat(result.result()).isInstanceOf(Unavailable.class);
    assertThat(sent.size()).isBetween(3, 10);
  }

  @Test
  void lostResponseIsRetriedUntilTheTimeLimit() {
    Future<PspResult> result =
        charge(
            gateway(
                n ->
                    n == 1
                        ? Future.succeededFuture(new Outcome.Lost("cut"))
                        : n % 2 == 0
                            ? Future.succeededFuture(new Outcome.NotSent("refused"))
                            : responded(new Unavailable("503"))));
    time.advance(BUDGET_MILLIS - 5_000);
    assertThat(result.isComplete()).isFalse();
    time.advance(5_000);
    assertThat(result.result()).isInstanceOf(Unavailable.class);
    assertThat(sent.size()).isBetween(32, 70);
    assertThat(sent).allMatch(s -> s.timeoutMillis() == BUDGET_MILLIS - s.atMillis());
  }

  @Test
  void slowSendIsNotRepeated() {
    Promise<Outcome> slow = Promise.promise();
    Future<PspResult> result = charge(gateway(n -> slow.future()));
    time.advance(64_999);
    assertThat(sent).hasSize(1);
    slow.complete(new Outcome.Responded(new Declined("late")));
    assertThat(result.result()).isEqualTo(new Declined("late"));
  }

  @Test
  void silentPspIsUnavailableAfterTheTimeLimit() {
    Promise<Outcome> silent = Promise.promise();
    Future<PspResult> result = charge(gateway(n -> silent.future()));
    time.advance(BUDGET_MILLIS);
    silent.complete(new Outcome.Lost("no response"));
    assertThat(result.result()).isInstanceOf(Unavailable.class);
    assertThat(sent).hasSize(1);
  }

  @Test
  void omittedAmountIsNotSent() {
    gateway(n -> responded(new Declined("x"))).refund("k", "ch_1", OptionalLong.empty());
    assertThat(sent.get(0).call()).isEqualTo(new PspCall.Refund("ch_1", null, false));
    assertThat(HttpPspCodec.body(sent.get(0).call()).toString()).isEqualTo("{}");
  }
}
