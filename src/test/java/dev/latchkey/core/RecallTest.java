package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.memory.MemoryBudget;
import dev.latchkey.store.memory.MemoryStore;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When a request that comes as one before it did is answered without another look. */
class RecallTest {

  private static final Object HANDLER = new Object();
  private static final Optional<SentRequest> SENT = sent("{\"amount\":10}");
  private static final Optional<SentRequest> SPACED = sent("{ \"amount\": 10 }");

  private final World world = new World(1);
  private final MemoryStore store =
      MemoryStore.create(
          new MemoryBudget(1 << 20),
          effects -> Optional.empty(),
          () -> Instant.ofEpochMilli(world.nowMillis()));
  private final World.Node node = world.newNode("A", store);
  private final Operation pay = World.operation("key", "pay 10");
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void aRetryIsRecalledOnceOneLikeItWasAnswered() {
    assertThat(recall(SENT)).as("unknown").isEmpty();
    World.Client first = node.send("first", pay, 0);
    assertThat(recall(SENT)).as("in flight").isEmpty();
    first.complete("paid");
    assertThat(recall(SENT)).as("found sound, but never compared").isEmpty();
    assertThat(asked).as("nothing to compare with").hasValue(0);

    assertThat(retry(pay, SENT).read()).isEqualTo("paid");

    assertThat(recall(SENT)).hasValueSatisfying(it -> assertThat(it).isEqualTo(plain().verdict));
  }

  @Test
  void whatIsSentInAnotherWayHasToArrive() {
    node.send("first", pay, 0).complete("paid");
    retry(pay, SENT);

    assertThat(recall(SPACED)).isEmpty();
    assertThat(recall(Optional.empty())).isEmpty();
    assertThat(retry(pay, SPACED).read()).as("the same request all the same").isEqualTo("paid");
    assertThat(recall(SENT)).isPresent();
  }

  @Test
  void anotherRequestIsNeverNotedAsTheOneThatTheKeyNames() {
    node.send("first", pay, 0).complete("paid");

    World.Client other = retry(World.operation("key", "pay 99"), sent("{\"amount\":99}"));

    assertThat(other.verdict).isInstanceOf(Verdict.Reused.class);
    assertThat(recall(sent("{\"amount\":99}"))).isEmpty();
    retry(pay, SENT);
    assertThat(recall(sent("{\"amount\":99}"))).isEmpty();
  }

  @Test
  void nothingIsRecalledFromItsExpiryOn() {
    node.send("first", pay, 0).complete("paid");
    retry(pay, SENT);
    world.passMillis(World.TERMS.retentionMillis() - 1);
    assertThat(recall(SENT)).isPresent();

    world.passMillis(1);

    assertThat(recall(SENT)).isEmpty();
    World.Client again = node.send("again", pay, 0);
    assertThat(again.runs()).isTrue();
    again.complete("paid anew");
    assertThat(recall(SENT)).as("noted of the key's life before").isEmpty();
  }

  @Test
  void aNodeThatDrainsRecallsNothing() {
    node.send("first", pay, 0).complete("paid");
    retry(pay, SENT);

    assertThat(node.flow.drain().isComplete()).isTrue();

    assertThat(recall(SENT)).isEmpty();
    assertThat(retry(pay, SENT).verdict).isInstanceOf(Verdict.ShuttingDown.class);
  }

  private Optional<Verdict.Replay> recall(Optional<SentRequest> sent) {
    return node.flow.recall(
        pay.key(),
        () -> {
          asked.incrementAndGet();
          return sent;
        });
  }

  private World.Client plain() {
    return node.send("plain", pay, 0);
  }

  /** A request that was found sound, and tells how it was sent. */
  private World.Client retry(Operation operation, Optional<SentRequest> sent) {
    World.Client client = node.client("retry", operation);
    node.flow.arrive(
        node.lot,
        new ForwardingCaller() {
          @Override
          public Caller caller() {
            return client;
          }

          @Override
          public Optional<SentRequest> sent() {
            return sent;
          }
        });
    return client;
  }

  private static Optional<SentRequest> sent(String body) {
    return SentRequest.of(HANDLER, Buffer.buffer(body), List.of("POST", "/pay"));
  }
}
