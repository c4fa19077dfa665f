package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each request to a keyed route counts under exactly one outcome. */
interface MetricsContract extends HttpContract {

  @Test
  default void eachRequestCountsOnce() {
    Node node =
        serve(
            "--max-body",
            "4KiB",
            "--max-parked-per-key",
            "3",
            Tenants.OPTIONS[0],
            Tenants.OPTIONS[1]);
    rejected(node);
    oneKeyFromItsFirstUseOn(node);
    notStored(node);
    countsNowhere(node);
    node.awaitIdle();

    Map<String, Long> expected = new LinkedHashMap<>();
    expected.put("rejected", 5L + 1L);
    expected.put("executed", 1L + 1L);
    expected.put("failed", 1L + 1L + 1L);
    expected.put("replayed", 1L);
    expected.put("parked", 2L);
    expected.put("conflict", 1L);
    expected.put("reused", 1L + 1L);
    Map<String, Long> counted = new LinkedHashMap<>();
    expected.keySet().forEach(it -> counted.put(it, node.outcome(it)));
    assertThat(counted).isEqualTo(expected);
    assertThat(node.metric("latchkey_parked")).isZero();
    assertThat(node.metric("latchkey_park_seconds_count")).isEqualTo(4);
  }

  /** Five that are refused before the claim. */
  private static void rejected(Node node) {
    Call call = pay(node);
    call.send().expectProblem(400, "idempotency-key-missing");
    pay(node).key("a b").send().expectProblem(400, "idempotency-key-malformed");
    pay(node).key(Scene.newKey()).json("{").send().expectProblem(400, "invalid-request");
    pay(node)
        .key(Scene.newKey())
        .json(" ".repeat(5_000))
        .send()
        .expectProblem(413, "body-too-large");
    pay(node)
        .key(Scene.newKey())
        .body("text/plain", Buffer.buffer("x"))
        .send()
        .expectProblem(415, "unsupported-media-type");
  }

  /**
   * One executed, two parked, one that hangs up while parked (failed), one too many (rejected), one
   * that will not wait (conflict), two with another request (reused), one replayed.
   */
  private void oneKeyFromItsFirstUseOn(Node node) {
    String key = Scene.newKey();
    node.psp().hold();
    Call.Sent first = pay(node).key(key).begin();
    node.psp().awaitHeld(1);
    List<Call.Sent> parked =
        IntStream.range(0, 3).mapToObj(i -> pay(node).key(key).begin()).toList();
    node.awaitParked(3);
    pay(node).key(key).send().expectProblem(429, "too-many-waiting");
    pay(node).key(key).header("Prefer", "wait=0").send().expect(409);
    pay(node).key(key).of(2).send().expect(422);
    parked.get(0).hangUp();
    node.awaitParked(2);
    scene().settle(node);
    first.answer().expect(201);
    parked.get(1).answer().expect(201);
    parked.get(2).answer().expect(201);
    pay(node).key(key).send().expect(201);
    pay(node).key(key).of(2).send().expect(422);
  }

  /** A declined card (executed), and an attempt that is not stored with one that waits: failed. */
  private void notStored(Node node) {
    pay(node).key(Scene.newKey()).by("pm_card_declined").send().expect(402);
    String key = Scene.newKey();
    node.psp().hold();
    Call.Sent first = pay(node).key(key).by("pm_psp_unavailable").begin();
    node.psp().awaitHeld(1);
    Call.Sent parked = pay(node).key(key).by("pm_psp_unavailable").begin();
    node.awaitParked(1);
    scene().settle(node);
    first.answer().expect(503);
    parked.answer().expect(503);
  }

  private static void countsNowhere(Node node) {
    node.pay().key(Scene.newKey()).send().expect(401);
    node.get("/v1/payments").header("Authorization", Tenants.ACME).send().expect(200);
    node.get("/health/live").send().expect(200);
    node.post("/v1/nothing").header("Authorization", Tenants.ACME).send().expect(404);
  }

  private static Call pay(Node node) {
    return node.pay().header("Authorization", Tenants.ACME);
  }
}
