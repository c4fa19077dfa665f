package dev.latchkey.psp;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspTransport.Outcome;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The PSP calls of one tenant leave room for those of the others. */
class TenantLimitTest {

  private static final int LIMIT = 2;
  private static final long LONG_MILLIS = 600_000;
  private static final PspCall CALL = new PspCall.Cancel("ch_1");
  private static final Outcome DONE = new Outcome.Lost("done");

  private final Vertx vertx = TestVertx.create();
  private final Map<String, Promise<Outcome>> atPsp = new ConcurrentHashMap<>();
  private final PspTransport transport =
      new TenantLimitedTransport(
          vertx,
          (key, call, timeoutMillis) -> atPsp.computeIfAbsent(key, k -> Promise.promise()).future(),
          LIMIT);

  @AfterEach
  void close() {
    await(vertx.close());
  }

  private Future<Outcome> send(String tenant, String key, long timeoutMillis) {
    return transport.forTenant(tenant).send(key, CALL, timeoutMillis);
  }

  @Test
  void callsOfOneTenantWaitWhileThoseOfAnotherAreSent() {
    send("a", "a1", LONG_MILLIS);
    send("a", "a2", LONG_MILLIS);
    Future<Outcome> third = send("a", "a3", LONG_MILLIS);
    send("a", "a4", LONG_MILLIS);
    send("b", "b1", LONG_MILLIS);
    assertThat(atPsp).containsOnlyKeys("a1", "a2", "b1");

    atPsp.get("a2").complete(DONE);

    Await.until("the third call is sent", () -> atPsp.containsKey("a3"));
    assertThat(atPsp).doesNotContainKey("a4");
    atPsp.get("a3").complete(DONE);
    assertThat(await(third)).isEqualTo(DONE);
    Await.until("the fourth call is sent", () -> atPsp.containsKey("a4"));
  }

  @Test
  void waitingCallEndsAtItsTimeLimitAndFreesNoPlace() {
    send("a", "a1", LONG_MILLIS);
    send("a", "a2", LONG_MILLIS);

    assertThat(await(send("a", "late", 20))).isInstanceOf(Outcome.NotSent.class);

    atPsp.get("a1").complete(DONE);
    atPsp.get("a2").complete(DONE);
    send("a", "a3", LONG_MILLIS);
    send("a", "a4", LONG_MILLIS);
    send("a", "a5", LONG_MILLIS);
    assertThat(atPsp).containsKeys("a3", "a4").doesNotContainKeys("late", "a5");
  }
}
