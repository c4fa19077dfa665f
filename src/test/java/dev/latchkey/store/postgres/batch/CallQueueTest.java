package dev.latchkey.store.postgres.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.testing.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Calls that wait, told of their failure while others are chosen. */
class CallQueueTest {

  /** A statement that all calls fit into. */
  private record Words() implements BatchStatement<String, String> {
    @Override
    public String operation() {
      return "say";
    }

    @Override
    public Predicate<String> fitting() {
      return call -> true;
    }

    @Override
    public Future<List<CallOutcome<String>>> run(
        ReconnectingConnection connection, List<String> calls) {
      throw new AssertionError("nothing is sent here");
    }
  }

  @Test
  void callAfterALateFailureIsSentAtOnce() {
    CallQueue<String, String> queue =
        new CallQueue<>(new Words(), new PostgresStoreOptions().setCallTimeoutMillis(100).limits());
    List<String> sent = new ArrayList<>();
    Future<String> late = queue.add("late");
    late.onFailure(
        cause -> {
          queue.add("again");
          queue.next().forEach(it -> sent.add(it.call));
        });
    Await.until(
        "the call is late",
        () -> {
          queue.next().forEach(queue::putBack);
          return late.isComplete();
        });

    assertThat(sent).containsExactly("again");
    assertThat(queue.isEmpty()).isTrue();
  }
}
