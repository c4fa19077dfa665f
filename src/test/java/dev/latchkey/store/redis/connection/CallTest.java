package dev.latchkey.store.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.StoreException.Outcome;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallTest {

  private static final long DUE_NANOS = 1_000;

  private static Call call(long deadlineNanos) {
    return Call.of("claim", Call.Kind.MAY_WRITE, 0, deadlineNanos, "GET", "key");
  }

  @Test
  void handlerOfAnOverdueCallMayCallAgain() {
    ArrayDeque<Call> waiting = new ArrayDeque<>();
    Call late = call(DUE_NANOS);
    Call later = call(DUE_NANOS + 1);
    Call again = call(DUE_NANOS);
    waiting.add(late);
    waiting.add(later);
    late.future().onFailure(failure -> waiting.add(again));

    List<Call> overdue = Call.takeOverdue(waiting, DUE_NANOS);
    overdue.forEach(it -> it.fail(Outcome.NOT_DONE, "late"));

    assertThat(overdue).containsExactly(late);
    assertThat(waiting).containsExactly(later, again);
  }
}
