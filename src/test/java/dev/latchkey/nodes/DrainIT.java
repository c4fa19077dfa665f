package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** SIGTERM to a node with running and parked requests. */
class DrainIT {

  private static final String KEY = "drained";
  private static final int WAITERS = 5;

  private static List<CompletableFuture<HttpResponse<String>>> park(
      LatchkeyProcess node, String method) {
    List<CompletableFuture<HttpResponse<String>>> parked =
        Stream.generate(() -> PaymentClient.pay(node.url(), KEY, method)).limit(WAITERS).toList();
    Await.until(
        "all are parked", () -> PaymentClient.metric(node.url(), "latchkey_parked") == WAITERS);
    return parked;
  }

  @Test
  void runningRequestFinishesAndItsWaitersGetTheResponse() {
    try (LatchkeyProcess node = LatchkeyProcess.ready("serve", "--port", "0")) {
      var first = PaymentClient.pay(node.url(), KEY, "pm_slow_5000");
      PaymentClient.awaitClaim(node.url(), 0);
      var parked = park(node, "pm_slow_5000");
      assertThat(first).isNotDone();

      node.signal("TERM");

      String body = await(first).body();
      assertThat(await(first).statusCode()).as(body).isEqualTo(201);
      for (var one : parked) {
        assertThat(await(one).body()).isEqualTo(body);
        assertThat(await(one).headers().firstValue("Idempotent-Replayed")).contains("true");
      }
      assertThat(node.exitCode()).as("%s", node.err()).isZero();
    }
  }

  @Test
  void cutOffRequestsExitWith1() {
    try (LatchkeyProcess node =
        LatchkeyProcess.ready("serve", "--port", "0", "--drain-timeout", "1s")) {
      var first = PaymentClient.pay(node.url(), KEY, "pm_slow_60000");
      PaymentClient.awaitClaim(node.url(), 0);
      var parked = park(node, "pm_slow_60000");

      node.signal("TERM");

      assertThat(node.exitCode()).as("%s", node.err()).isEqualTo(1);
      for (var one : Stream.concat(Stream.of(first), parked.stream()).toList()) {
        int status =
            await(one.handle((response, lost) -> lost == null ? response.statusCode() : 0));
        assertThat(status).isNotEqualTo(201);
      }
    }
  }

  @Test
  void waitersForAnotherNodeAreSentAwayAtOnce() {
    try (TestPsp psp = new TestPsp();
        PostgresNodesFixture fixture = new PostgresNodesFixture();
        LatchkeyProcess owner = fixture.serve(psp.url());
        LatchkeyProcess drained = fixture.serve(psp.url())) {
      var first = PaymentClient.pay(owner.url(), KEY, "pm_slow_20000");
      PaymentClient.awaitClaim(owner.url(), 0);
      var parked = park(drained, "pm_slow_20000");

      drained.signal("TERM");

      for (var one : parked) {
        assertThat(await(one).statusCode()).isEqualTo(503);
        assertThat(new JsonObject(await(one).body()).getString("type")).endsWith("/shutting-down");
      }
      assertThat(drained.exitCode()).as("%s", drained.err()).isZero();
      assertThat(first).as("the owner's request").isNotDone();
    }
  }
}
