package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.Await;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mistakes that idempotency layers are known to make, each with the test that would notice it here.
 *
 * <table>
 *   <caption>Where each mistake is tested</caption>
 *   <tr><td>1</td><td>the layer's own 409 and 422 are stored</td><td>here</td></tr>
 *   <tr><td>2</td><td>an empty answer is no answer, and runs again</td><td>here</td></tr>
 *   <tr><td>3</td><td>the answer leaves before it is stored</td><td>here; rows FIRST_USE and
 *       STORE_LOST_WHILE_RUNNING of {@link SituationContract}</td></tr>
 *   <tr><td>4</td><td>a lost claim without a record means go ahead</td>
 *       <td>BrokenStoreFlowTest, aRecordThatTheStoreLost...; FencingContract</td></tr>
 *   <tr><td>5</td><td>a stalled owner ends the new owner's claim</td>
 *       <td>here; FencingContract</td></tr>
 *   <tr><td>6</td><td>a hang-up releases a running claim</td>
 *       <td>{@link CrowdContract}, aFirstCallerThatHangsUp...</td></tr>
 *   <tr><td>7</td><td>an impatient waiter deletes the live claim</td><td>here</td></tr>
 *   <tr><td>8</td><td>a takeover that nobody decided</td><td>here; RaceContract</td></tr>
 *   <tr><td>9</td><td>stores that differ</td>
 *       <td>StoreContractTest and {@link HttpContractTest}, the same over each</td></tr>
 *   <tr><td>10</td><td>a fingerprint lost on the way</td><td>here; MismatchContract</td></tr>
 *   <tr><td>11</td><td>a live owner's key is stolen</td><td>here</td></tr>
 *   <tr><td>12</td><td>an oversized answer runs again</td>
 *       <td>row SAME_NOT_RETAINED; streamed: HandlerOptionsTest, anAnswerTooLarge...</td></tr>
 *   <tr><td>13</td><td>keys that cross tenants</td><td>{@link TenantContract}</td></tr>
 *   <tr><td>14</td><td>a replay mark that a client can set</td>
 *       <td>{@link ReplayContract}, aClientCannotFake...</td></tr>
 *   <tr><td>15</td><td>the node's clock decides</td><td>MistakesTest; ExpiryContract</td></tr>
 *   <tr><td>16</td><td>a setting that is silently ignored</td>
 *       <td>LatchkeyCommandTest, refuses...</td></tr>
 *   <tr><td>17</td><td>cookies joined, or stored at all</td><td>here; CaptureTest</td></tr>
 *   <tr><td>18</td><td>a key that is sent twice</td>
 *       <td>row KEY_SENT_TWICE; {@link BadInputTest}, tooLongOrRepeated...</td></tr>
 *   <tr><td>19</td><td>a skipped case that counts as passed</td>
 *       <td>SkippedCasesTest</td></tr>
 *   <tr><td>20</td><td>an effect lost in a batch</td><td>{@link MoneyRaceContract};
 *       EffectContract</td></tr>
 *   <tr><td>21</td><td>an outside call keyed by the attempt, or by the key alone</td>
 *       <td>row PARKED_TAKES_OVER; {@link KeyContract}, anExpiredKey...</td></tr>
 *   <tr><td>22</td><td>a released key forgets its request</td><td>here</td></tr>
 * </table>
 */
interface MistakesContract extends HttpContract {

  @Test
  @DisplayName("mistake 1: the layer's own 409 and 422 take the place of the answer")
  default void mistake01() {
    Node node = serve();
    Call call = node.pay().key(scene().key());
    node.psp().hold();
    Call.Sent first = call.begin();
    node.psp().awaitHeld(1);
    node.pay().key(scene().key()).header("Prefer", "wait=0").send().expect(409);
    node.pay().key(scene().key()).of(2).send().expect(422);
    scene().settle(node);
    node.pay().key(scene().key()).of(2).send().expect(422);

    assertThat(call.send().lasting()).isEqualTo(first.answer().expect(201).lasting());
    Answer elsewhere = serve().pay().key(scene().key()).send();
    assertThat(elsewhere.lasting()).isEqualTo(first.answer().lasting());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 204})
  @DisplayName("mistake 2: an empty answer is taken for none and runs again")
  default void mistake02(int status) {
    serve();
    OwnRoute own = new OwnRoute(scene(), ctx -> ctx.response().setStatusCode(status).end());

    Answer first = own.call(scene().key()).send().expect(status);
    Answer again = own.call(scene().key()).send();

    assertThat(again.lasting()).isEqualTo(first.lasting());
    assertThat(again.body()).isEqualTo(Buffer.buffer());
    assertThat(again.isReplayed()).isTrue();
    assertThat(own.runs()).isEqualTo(1);
  }

  @Test
  @DisplayName("mistake 3: the answer leaves before it is stored")
  default void mistake03() {
    Node node = serve();
    node.store().script(StoreOperation.COMPLETE, StoreFault.HOLD_BEFORE);
    Call.Sent first = node.pay().key(scene().key()).begin();
    Await.until("the completion is on its way", () -> node.store().held() == 1);
    IntStream.range(0, 50).forEach(i -> node.get("/health/live").send().expect(200));

    assertThat(first.future().isComplete()).isFalse();
    node.store().releaseHeld();
    assertThat(first.answer().expect(201).isReplayed()).isFalse();
  }

  @Test
  @DisplayName("mistake 3: a store error leaves the request hanging or the key stuck")
  default void mistake03StoreErrors() {
    Node node = serve();
    node.store().script(StoreOperation.COMPLETE, StoreFault.FAIL_BEFORE, StoreFault.FAIL_AFTER);

    Answer first = node.pay().key(scene().key()).send().expect(201);

    assertThat(node.pay().key(scene().key()).send().lasting()).isEqualTo(first.lasting());
    assertThat(scene().executions()).isEqualTo(1);
    assertThat(node.store().calls(StoreOperation.COMPLETE)).isEqualTo(3);
  }

  @Test
  @DisplayName("mistake 5: an owner that stalled ends the claim of the one that took over")
  default void mistake05() {
    Node stalled = serve("--lease", "300ms");
    Node heir = serve();
    Call.Sent first = stalls(stalled);
    Answer taken = heir.pay().key(scene().key()).send().expect(201);
    assertThat(taken.isReplayed()).isFalse();

    stalled.store().plan((operation, number) -> StoreFault.NONE);
    scene().settle(stalled, heir);

    Answer late = first.answer().expect(201);
    assertThat(late.lasting()).isEqualTo(taken.lasting());
    assertThat(heir.pay().key(scene().key()).send().lasting()).isEqualTo(taken.lasting());
    Answer list = heir.get("/v1/payments?idempotency_key=" + scene().key()).send();
    assertThat(list.json().getJsonArray("data")).hasSize(1);
    assertThat(scene().pspStats().charges()).isEqualTo(1);
  }

  @Test
  @DisplayName("mistake 7: a waiter whose patience ran out deletes the live claim")
  default void mistake07() {
    Node node = serve();
    Call call = node.pay().key(scene().key());
    node.psp().hold();
    Call.Sent first = call.begin();
    node.psp().awaitHeld(1);
    node.pay().key(scene().key()).header("Prefer", "wait=1").send().expect(409);

    Call.Sent next = call.begin();
    node.awaitParked(1);
    Call.Sent elsewhere = serve().pay().key(scene().key()).begin();
    scene().settle(node);

    assertThat(first.answer().expect(201).isReplayed()).isFalse();
    assertThat(next.answer().expect(201).isReplayed()).isTrue();
    assertThat(elsewhere.answer().expect(201).isReplayed()).isTrue();
    assertThat(scene().executions()).isEqualTo(1);
  }

  @Test
  @DisplayName("mistake 8: a takeover that is not decided by the store has two owners")
  default void mistake08() {
    Node dead = serve("--lease", "300ms");
    stalls(dead);
    List<Node> heirs = List.of(serve(), serve());
    List<Call.Sent> sent =
        heirs.stream()
            .flatMap(node -> Stream.generate(() -> node.pay().key(scene().key()).begin()).limit(3))
            .toList();

    List<Answer> answers = sent.stream().map(Call.Sent::answer).toList();

    assertThat(answers).extracting(Answer::lasting).containsOnly(answers.get(0).lasting());
    assertThat(answers.get(0).status()).isEqualTo(201);
    assertThat(answers.stream().filter(it -> !it.isReplayed())).hasSize(1);
    assertThat(scene().executions()).as("the dead owner's and one more").isEqualTo(2);
    assertThat(scene().pspStats().charges()).isEqualTo(1);
  }

  @Test
  @DisplayName("mistake 10: the fingerprint is lost with a renewal, a takeover or a completion")
  default void mistake10() {
    Node first = serve("--lease", "300ms");
    Node heir = serve("--lease", "300ms");
    first.psp().hold();
    heir.psp().hold();
    first.pay().key(scene().key()).begin();
    first.psp().awaitHeld(1);
    awaitRenewals(first, 2);
    assertRefused(heir);
    first.cutOff();
    Call.Sent taken = heir.pay().key(scene().key()).begin();
    heir.psp().awaitHeld(1);
    assertRefused(heir);
    awaitRenewals(heir, 2);
    assertRefused(heir);
    scene().settle(heir);

    taken.answer().expect(201);
    assertRefused(heir);
    assertRefused(serve());
  }

  @Test
  @DisplayName("mistake 11: the lease is shorter than the work, and a live owner is robbed")
  default void mistake11() {
    Node owner = serve("--lease", "5s");
    Node other = serve("--lease", "5s");
    owner.psp().hold();
    Call.Sent first = owner.pay().key(scene().key()).begin();
    owner.psp().awaitHeld(1);
    Call.Sent waiting = other.pay().key(scene().key()).begin();
    other.awaitParked(1);

    awaitRenewals(owner, 3);
    scene().settle(owner);

    assertThat(first.answer().expect(201).isReplayed()).isFalse();
    assertThat(waiting.answer().expect(201).isReplayed()).isTrue();
    assertThat(scene().executions()).isEqualTo(1);
  }

  @Test
  @DisplayName("mistake 17: cookies are joined by commas, or given to whoever comes next")
  default void mistake17() {
    serve();
    OwnRoute own =
        new OwnRoute(
            scene(),
            ctx -> {
              ctx.response().headers().add("Set-Cookie", "a=1; Path=/").add("Set-Cookie", "b=2");
              ctx.response().headers().add("Vary", "Accept").add("Vary", "Origin");
              ctx.end("done");
            });

    Answer first = own.call(scene().key()).send();
    Answer again = own.call(scene().key()).send();

    assertThat(first.all("Set-Cookie")).containsExactly("a=1; Path=/", "b=2");
    assertThat(again.all("Set-Cookie")).isEmpty();
    assertThat(again.isReplayed()).isTrue();
    assertThat(again.all("Vary")).isEqualTo(first.all("Vary")).hasSize(2);
  }

  @Test
  @DisplayName("mistake 22: a released key forgets its request, and a changed one is charged too")
  default void mistake22() {
    Node node = serve();
    node.psp().loseNextAnswer();
    node.pay().key(scene().key()).send().expectProblem(503, "psp-unavailable");
    assertThat(scene().pspStats().charges()).as("money has moved").isEqualTo(1);

    assertRefused(node);
    assertRefused(serve());
    Answer found = node.pay().key(scene().key()).send().expect(201);

    assertThat(found.json().getInteger("amount")).isEqualTo(1000);
    assertThat(scene().pspStats().charges()).isEqualTo(1);
  }

  /** Begins a payment whose owner stops hearing of the world once the PSP has done it. */
  private Call.Sent stalls(Node owner) {
    owner.psp().hold();
    Call.Sent first = owner.pay().key(scene().key()).begin();
    owner.psp().awaitHeld(1);
    owner.cutOff();
    return first;
  }

  private static void awaitRenewals(Node node, int more) {
    long target = node.store().calls(StoreOperation.RENEW) + more;
    Await.until("renewed", () -> node.store().calls(StoreOperation.RENEW) >= target);
  }

  private void assertRefused(Node node) {
    node.pay().key(scene().key()).of(2000).send().expectProblem(422, "idempotency-key-reused");
  }
}
