package dev.latchkey.http;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.AggregateWith;
import org.junit.jupiter.params.provider.CsvSource;

/** The response in every situation of a keyed request. */
interface SituationContract extends HttpContract {

  /**
   * The table. {@code problem}, {@code state} and {@code retryable} are members of the answer;
   * {@code headers} lists which of Idempotent-Replayed ("replayed"), Idempotency-Expires
   * ("expires") and Retry-After ("retry") it carries, the others it must not, and every problem
   * links to its page; {@code runs} counts how often a handler went to the PSP, {@code charges}
   * what the PSP did, {@code store} what the stores of all nodes were asked until everything had
   * ended: C claim, D done (complete), R release, W watch (once more for each gap in the notices),
   * L lookup, "any" where it depends on time. Columns that do not apply hold a dash.
   */
  String TABLE =
      """
      situation | status | problem | state | retryable | headers | runs | charges | store
      NO_KEY | 400 | idempotency-key-missing | - | false | - | 0 | 0 | -
      KEY_MALFORMED | 400 | idempotency-key-malformed | - | false | - | 0 | 0 | -
      KEY_SENT_TWICE | 400 | idempotency-key-malformed | - | false | - | 0 | 0 | -
      FIRST_USE | 201 | - | - | - | expires | 1 | 1 | CD
      DECLINED | 402 | card-declined | completed | false | expires | 1 | 0 | CD
      NO_SUCH_PAYMENT | 404 | not-found | completed | false | expires | 0 | 0 | CD
      PSP_UNAVAILABLE | 503 | psp-unavailable | unknown | true | retry | 1 | 0 | CR
      NO_ROOM_TO_RUN | 503 | overloaded | unknown | true | retry | 1 | 1 | CD
      NO_ROOM_TO_KEEP_IT | 201 | - | - | - | expires | 1 | 1 | CD
      LEDGER_AWAY | 503 | store-unavailable | unknown | true | retry | 0 | 0 | CR
      STORE_AWAY | 503 | store-unavailable | unknown | true | retry | 0 | 0 | C
      STORE_LOST_WHILE_RUNNING | 503 | store-unavailable | unknown | true | retry | 1 | 1 | any
      RUNS_TOO_LONG | 503 | attempt-unresolved | unknown | true | retry | 1 | 1 | CD

      SAME_FINISHED | 201 | - | - | - | replayed expires | 1 | 1 | CD
      SAME_FINISHED_ELSEWHERE | 201 | - | - | - | replayed expires | 1 | 1 | CCD
      SAME_FINISHED_STORE_AWAY | 201 | - | - | - | replayed expires | 1 | 1 | CD
      SAME_DECLINED | 402 | card-declined | completed | false | replayed expires | 1 | 0 | CD
      SAME_NOT_STORED | 503 | psp-unavailable | unknown | true | retry | 2 | 0 | CCRR
      SAME_NOT_RETAINED | 409 | response-not-retained | completed | false | expires | 1 | 1 | CD
      SAME_WHILE_THE_STORE_IS_LOST | 201 | - | - | - | replayed expires | 1 | 1 | any

      OTHER_RUNNING | 422 | idempotency-key-reused | in_progress | false | - | 1 | 1 | CD
      OTHER_RUNNING_ELSEWHERE | 422 | idempotency-key-reused | in_progress | false | - | 1 | 1 | CCD
      OTHER_FINISHED | 422 | idempotency-key-reused | completed | false | expires | 1 | 1 | CD
      OTHER_NOT_STORED | 422 | idempotency-key-reused | unknown | false | - | 1 | 0 | CCR
      OTHER_OF_A_DEAD_OWNER | 422 | idempotency-key-reused | in_progress | false | - | 1 | 1 | any

      PARKED | 201 | - | - | - | replayed expires | 1 | 1 | CD
      PARKED_ELSEWHERE | 201 | - | - | - | replayed expires | 1 | 1 | CCDWL?
      PARKED_NOT_RETAINED | 409 | response-not-retained | completed | false | expires | 1 | 1 | CD
      PARKED_NOT_STORED | 503 | psp-unavailable | unknown | true | retry | 1 | 0 | CR
      PARKED_NOT_STORED_ELSEWHERE | 503 | attempt-failed | unknown | true | retry | 1 | 0 | CCRWL?
      PARKED_TAKES_OVER | 201 | - | - | - | expires | 2 | 1 | any
      PARKED_WHILE_TAKEN_OVER | 201 | - | - | - | replayed expires | 2 | 1 | any
      PARKED_TOO_LONG | 409 | request-in-progress | in_progress | true | retry | 1 | 1 | CD
      WILL_NOT_WAIT | 409 | request-in-progress | in_progress | true | retry | 1 | 1 | CD
      NO_ROOM_FOR_THE_KEY | 429 | too-many-waiting | in_progress | true | retry | 1 | 1 | CD
      NO_ROOM_FOR_THE_TENANT | 429 | too-many-waiting | in_progress | true | retry | 1 | 1 | CD
      NO_ROOM_ON_THE_NODE | 429 | too-many-waiting | in_progress | true | retry | 1 | 1 | CD
      PARKED_WHILE_ITS_NODE_DRAINS | 503 | shutting-down | in_progress | true | retry | 1 | 1 | any
      """;

  @ParameterizedTest(name = "{0}")
  @CsvSource(textBlock = TABLE, delimiter = '|', useHeadersInDisplayName = true)
  default void situation(@AggregateWith(Row.Reader.class) Row row) {
    row.check(scene());
  }
}
