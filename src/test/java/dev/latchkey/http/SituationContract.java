package dev.latchkey.http;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.AggregateWith;
import org.junit.jupiter.params.provider.CsvSource;

/** What a caller is told in every situation that it can be in with a key. */
interface SituationContract extends HttpContract {

  /**
   * The table. {@code problem}, {@code state} and {@code retryable} are members of the answer;
   * {@code headers} lists which of Idempotent-Replayed ("replayed"), Idempotency-Expires
   * ("expires"), Retry-After ("retry") and Link to the problem ("link") it carries, the others it
   * must not; {@code runs} counts how often a handler went to the PSP, {@code charges} what the PSP
   * did, {@code store} what the stores of all nodes were asked until everything had ended ("any"
   * where it depends on time). Columns that do not apply hold a dash.
   */
  String TABLE =
      """
      situation | status | problem | state | retryable | headers | runs | charges | store
      NO_KEY | 400 | idempotency-key-missing | - | - | link | 0 | 0 | -
      KEY_MALFORMED | 400 | idempotency-key-malformed | - | - | link | 0 | 0 | -
      KEY_SENT_TWICE | 400 | idempotency-key-malformed | - | - | link | 0 | 0 | -
      FIRST_USE | 201 | - | - | - | expires | 1 | 1 | claim, complete
      DECLINED | 402 | card-declined | completed | false | expires link | 1 | 0 | claim, complete
      NO_SUCH_PAYMENT | 404 | not-found | completed | false | expires link | 0 | 0 | claim, complete
      PSP_UNAVAILABLE | 503 | psp-unavailable | unknown | true | retry link | 1 | 0 | claim, release
      NO_ROOM_TO_RUN | 503 | overloaded | unknown | true | retry link | 1 | 1 | claim, complete
      NO_ROOM_TO_KEEP_THE_ANSWER | 201 | - | - | - | expires | 1 | 1 | claim, complete
      LEDGER_AWAY | 503 | store-unavailable | unknown | true | retry link | 0 | 0 | claim, release
      STORE_AWAY | 503 | store-unavailable | unknown | true | retry link | 0 | 0 | claim
      STORE_LOST_WHILE_RUNNING | 503 | store-unavailable | unknown | true | retry link | 1 | 1 | any
      RUNS_TOO_LONG | 503 | attempt-unresolved | unknown | true | retry link | 1 | 1 | claim, complete

      SAME_FINISHED | 201 | - | - | - | replayed expires | 1 | 1 | claim, complete
      SAME_FINISHED_NOT_ON_THIS_NODE | 201 | - | - | - | replayed expires | 1 | 1 | 2 claim, complete
      SAME_FINISHED_STORE_AWAY | 201 | - | - | - | replayed expires | 1 | 1 | claim, complete
      SAME_DECLINED | 402 | card-declined | completed | false | replayed expires link | 1 | 0 | claim, complete
      SAME_NOT_STORED | 503 | psp-unavailable | unknown | true | retry link | 2 | 0 | 2 claim, 2 release
      SAME_NOT_RETAINED | 409 | response-not-retained | completed | false | expires link | 1 | 1 | claim, complete
      SAME_WHILE_THE_STORE_IS_LOST | 201 | - | - | - | replayed expires | 1 | 1 | any

      OTHER_RUNNING | 422 | idempotency-key-reused | in_progress | false | link | 1 | 1 | claim, complete
      OTHER_RUNNING_ON_ANOTHER_NODE | 422 | idempotency-key-reused | in_progress | false | link | 1 | 1 | 2 claim, complete
      OTHER_FINISHED | 422 | idempotency-key-reused | completed | false | expires link | 1 | 1 | claim, complete
      OTHER_NOT_STORED | 422 | idempotency-key-reused | unknown | false | link | 1 | 0 | 2 claim, release
      OTHER_OF_A_DEAD_OWNER | 422 | idempotency-key-reused | in_progress | false | link | 1 | 1 | any

      PARKED | 201 | - | - | - | replayed expires | 1 | 1 | claim, complete
      PARKED_ON_ANOTHER_NODE | 201 | - | - | - | replayed expires | 1 | 1 | 2 claim, complete, watch, lookup
      PARKED_NOT_RETAINED | 409 | response-not-retained | completed | false | expires link | 1 | 1 | claim, complete
      PARKED_NOT_STORED | 503 | psp-unavailable | unknown | true | retry link | 1 | 0 | claim, release
      PARKED_NOT_STORED_ON_ANOTHER_NODE | 503 | attempt-failed | unknown | true | retry link | 1 | 0 | 2 claim, release, watch, lookup
      PARKED_TAKES_OVER | 201 | - | - | - | expires | 2 | 1 | any
      PARKED_WHILE_ANOTHER_TAKES_OVER | 201 | - | - | - | replayed expires | 2 | 1 | any
      PARKED_TOO_LONG | 409 | request-in-progress | in_progress | true | retry link | 1 | 1 | claim, complete
      WILL_NOT_WAIT | 409 | request-in-progress | in_progress | true | retry link | 1 | 1 | claim, complete
      NO_ROOM_FOR_THE_KEY | 429 | too-many-waiting | in_progress | true | retry link | 1 | 1 | claim, complete
      NO_ROOM_FOR_THE_TENANT | 429 | too-many-waiting | in_progress | true | retry link | 1 | 1 | claim, complete
      NO_ROOM_ON_THE_NODE | 429 | too-many-waiting | in_progress | true | retry link | 1 | 1 | claim, complete
      PARKED_WHILE_ITS_NODE_DRAINS | 503 | shutting-down | unknown | true | retry link | 1 | 1 | any
      """;

  @ParameterizedTest(name = "{0}")
  @CsvSource(textBlock = TABLE, delimiter = '|', useHeadersInDisplayName = true)
  default void situation(@AggregateWith(Row.Reader.class) Row row) {
    row.check(scene());
  }
}
