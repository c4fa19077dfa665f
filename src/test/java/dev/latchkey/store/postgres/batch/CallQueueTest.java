package dev.latchkey.store.postgres.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Calls that wait, told of their failure while others are chosen. */
class CallQueueTest {

  /** A statement that a call named broken cannot be put into. */
  private record Words() implements BatchStatement<String, String> {
    @Override
    public String operation() {
      return "say";
    }

    @Override
    public long bytes(String call) {
      return call.length();
    }

    @Override
    public Predicate<String> fitting() {
      return call -> {
        if (call.equals("broken")) {
          throw new IllegalStateException("no word");
        }
        return true;
      };
    }

    @Override
    public Future<List<CallOutcome<String>>> run(ReconnectingConnection link, List<String> calls) {
      throw new AssertionError("nothing is sent here");
    }
  }

  /** As a call does for which another link is free. */
  @Test
  void callAfterAFailureIsSentAtOnce() {
    CallQueue<String, String> waiting =
        new CallQueue<>(new Words(), new PostgresStoreOptions().limits());
    List<String> besides = new ArrayList<>();
    waiting
        .add("broken")
        .onFailure(
            cause -> {
              waiting.add("again");
              waiting.next().forEach(it -> besides.add(it.call));
            });
    waiting.add("sound");

    assertThat(waiting.next()).extracting(it -> it.call).containsExactly("sound");

    assertThat(besides).containsExactly("again");
    assertThat(waiting.isEmpty()).isTrue();
  }
}
