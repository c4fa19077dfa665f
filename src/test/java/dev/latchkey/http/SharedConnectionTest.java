package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.RawClient;
import io.vertx.core.http.HttpConnection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests that share a connection: responses in order, streams independent. */
class SharedConnectionTest extends MemoryServiceTest {

  private static final int STREAMS = 90;
  private static final int LOOKS = 50;

  /** HTTP/1.1: answers come in the order of the requests, also where the first has to wait. */
  @Test
  void pipelinedRequestsGetResponsesInOrderBehindAParkedOne() {
    Node node = serve();
    String key = scene().key();
    Call.Sent first = running(node, key);
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(
          payment(key, Call.VISA)
              + payment(key, Call.VISA.replace("1000", "2000"))
              + "GET /v1/balance HTTP/1.1\r\nHost: a\r\n\r\n"
              + payment(Scene.newKey(), Call.VISA.replace("visa", "declined"))
              + payment(key, Call.VISA));
      node.awaitParked(1);
      assertThat(silentMeanwhile(node, connection)).isTrue();

      scene().settle(node);

      Answer own = first.answer().expect(201);
      assertThat(Answer.from(connection).lasting()).isEqualTo(own.lasting());
      Answer.from(connection).expectProblem(422, "idempotency-key-reused");
      assertThat(Answer.from(connection).expect(200).json().getJsonArray("data")).hasSize(1);
      Answer.from(connection).expectProblem(402, "card-declined");
      assertThat(Answer.from(connection).lasting()).isEqualTo(own.lasting());
    }
  }

  /** A duplicate right behind the first use on its connection is no deadlock, but a replay. */
  @Test
  void pipelinedDuplicatesAreReplaysOfTheFirst() {
    Node node = serve();
    String key = scene().key();
    node.psp().hold();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(payment(key, Call.VISA).repeat(3));
      node.psp().awaitHeld(1);
      assertThat(silentMeanwhile(node, connection)).isTrue();

      scene().settle(node);

      Answer own = Answer.from(connection).expect(201);
      assertThat(own.isReplayed()).isFalse();
      for (Answer again : List.of(Answer.from(connection), Answer.from(connection))) {
        assertThat(again.isReplayed()).isTrue();
        assertThat(again.lasting()).isEqualTo(own.lasting());
      }
    }
    assertThat(scene().executions()).isEqualTo(1);
  }

  @Test
  void parkedStreamsDoNotDelayOthersOfTheirConnection() {
    scene().overHttp2();
    Node node = serve();
    String key = scene().key();
    Call.Sent first = running(node, key);
    List<Call.Sent> parked = duplicates(node, key, STREAMS);
    node.awaitParked(STREAMS);

    node.pay().send().expectProblem(400, "idempotency-key-missing");
    node.pay().key(key).of(2000).send().expectProblem(422, "idempotency-key-reused");
    node.pay().key(key).header("Prefer", "wait=0").send().expectProblem(409, "request-in-progress");
    Call.Sent read = node.get("/v1/idempotency-keys/" + key).begin();
    assertThat(read.answer().expect(200).body().toString()).contains("in_progress");
    assertThat(first.future().isComplete()).isFalse();
    assertThat(parked).noneMatch(it -> it.future().isComplete());

    scene().settle(node);

    Answer own = first.answer().expect(201);
    List<Answer> answers = parked.stream().map(Call.Sent::answer).toList();
    assertThat(answers).extracting(Answer::lasting).containsOnly(own.lasting());
    assertThat(answers).allMatch(Answer::isReplayed);
    assertThat(connections(first, read, parked)).as("connections").hasSize(1);
    assertThat(node.store().calls(StoreOperation.CLAIM)).isEqualTo(1);
  }

  @Test
  void canceledStreamDoesNotAffectOthers() {
    scene().overHttp2();
    Node node = serve();
    String key = scene().key();
    Call.Sent first = running(node, key);
    List<Call.Sent> parked = duplicates(node, key, 3);
    node.awaitParked(3);

    parked.get(0).cancel();
    node.awaitParked(2);
    first.cancel();
    node.get("/health/live").send().expect(200);
    assertThat(node.running()).as("the operation goes on").isEqualTo(1);
    scene().settle(node);

    Answer own = parked.get(1).answer().expect(201);
    assertThat(parked.get(2).answer().lasting()).isEqualTo(own.lasting());
    assertThat(node.pay().key(key).send().lasting()).isEqualTo(own.lasting());
    assertThat(scene().executions()).isEqualTo(1);
    assertThat(scene().pspStats().charges()).isEqualTo(1);
  }

  private static Call.Sent running(Node node, String key) {
    node.psp().hold();
    Call.Sent first = node.pay().key(key).begin();
    node.psp().awaitHeld(1);
    return first;
  }

  private static List<Call.Sent> duplicates(Node node, String key, int count) {
    return Stream.generate(() -> node.pay().key(key).begin()).limit(count).toList();
  }

  /** Asks the node so often on other connections that it had its chance to answer on this one. */
  private static boolean silentMeanwhile(Node node, RawClient connection) {
    IntStream.range(0, LOOKS).forEach(i -> node.get("/health/live").send().expect(200));
    return connection.isSilent();
  }

  private static List<HttpConnection> connections(
      Call.Sent first, Call.Sent read, List<Call.Sent> parked) {
    return Stream.concat(Stream.of(first, read), parked.stream())
        .map(Call.Sent::connection)
        .distinct()
        .toList();
  }

  private static String payment(String key, String body) {
    return "POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Idempotency-Key: "
        + key
        + "\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }
}
