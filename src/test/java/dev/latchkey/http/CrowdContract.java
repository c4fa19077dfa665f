package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreOperation;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many with one key at a time, and callers that do not stay. */
interface CrowdContract extends HttpContract {

  @Test
  default void aFirstCallerAndTwoHundredDuplicatesMakeOnePayment() {
    int callers = 201;
    Node node = serve();
    Call call = node.pay().key(scene().key()).by("pm_slow_1000");
    List<Call.Sent> sent = IntStream.range(0, callers).mapToObj(i -> call.begin()).toList();

    List<Answer> answers = sent.stream().map(Call.Sent::answer).toList();

    assertThat(answers).extracting(Answer::status).containsOnly(201);
    assertThat(answers).extracting(Answer::lasting).containsOnly(answers.get(0).lasting());
    assertThat(answers.stream().filter(Answer::isReplayed)).hasSize(callers - 1);
    assertThat(scene().pspStats().charges()).isEqualTo(1);
    assertThat(scene().executions()).isEqualTo(1);
    assertThat(node.store().calls(StoreOperation.CLAIM)).isEqualTo(1);
    assertThat(node.store().calls(StoreOperation.COMPLETE)).isEqualTo(1);
    assertThat(node.store().keyCalls()).isEqualTo(2);
    Answer list = node.get("/v1/payments?idempotency_key=" + scene().key()).send();
    assertThat(list.json().getJsonArray("data")).hasSize(1);
  }

  @Test
  default void aFirstCallerThatHangsUpChangesNothing() {
    Node node = serve();
    Call call = node.pay().key(scene().key());
    node.psp().hold();
    Call.Sent first = call.begin();
    node.psp().awaitHeld(1);
    first.hangUp();
    Call.Sent retry = call.begin();
    node.awaitParked(1);

    scene().settle(node);

    Answer answer = retry.answer().expect(201);
    assertThat(answer.isReplayed()).isTrue();
    assertThat(call.send().lasting()).isEqualTo(answer.lasting());
    assertThat(scene().executions()).isEqualTo(1);
    assertThat(scene().pspStats().charges()).isEqualTo(1);
  }

  @Test
  default void aPaymentWhoseCallerHungUpIsThereForTheRetry() {
    Node node = serve();
    Call call = node.pay().key(scene().key());
    node.psp().hold();
    Call.Sent first = call.begin();
    node.psp().awaitHeld(1);
    first.hangUp();

    scene().settle(node);

    Answer retry = call.send().expect(201);
    assertThat(retry.isReplayed()).isTrue();
    node.get("/v1/payments/" + retry.id()).send().expect(200);
    assertThat(scene().executions()).isEqualTo(1);
  }

  @Test
  default void aParkedCallerThatHangsUpLeavesAtOnce() {
    Node node = serve();
    Call call = node.pay().key(scene().key());
    node.psp().hold();
    Call.Sent first = call.begin();
    node.psp().awaitHeld(1);
    List<Call.Sent> parked = IntStream.range(0, 3).mapToObj(i -> call.begin()).toList();
    node.awaitParked(3);

    parked.get(1).hangUp();

    node.awaitParked(2);
    assertThat(node.metric("latchkey_parked")).isEqualTo(2);
    scene().settle(node);
    first.answer().expect(201);
    assertThat(parked.get(0).answer().expect(201).isReplayed()).isTrue();
    assertThat(parked.get(2).answer().expect(201).isReplayed()).isTrue();
  }

  @Test
  default void aParkedCallerThatHangsUpOnAnotherNodeLeavesToo() {
    Node owner = serve();
    Node other = serve();
    owner.psp().hold();
    Call.Sent first = owner.pay().key(scene().key()).begin();
    owner.psp().awaitHeld(1);
    Call.Sent parked = other.pay().key(scene().key()).begin();
    other.awaitParked(1);

    parked.hangUp();

    other.awaitParked(0);
    scene().settle(owner);
    first.answer().expect(201);
    assertThat(other.pay().key(scene().key()).send().expect(201).isReplayed()).isTrue();
  }
}
