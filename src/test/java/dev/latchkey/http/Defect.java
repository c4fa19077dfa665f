package dev.latchkey.http;

import static dev.latchkey.http.Call.KEY;
import static dev.latchkey.http.Sabotage.ofOptions;
import static dev.latchkey.http.Sabotage.ofRecords;
import static dev.latchkey.http.Sabotage.ofStore;
import static dev.latchkey.http.Situation.DECLINED;
import static dev.latchkey.http.Situation.FIRST_USE;
import static dev.latchkey.http.Situation.KEY_MALFORMED;
import static dev.latchkey.http.Situation.KEY_SENT_TWICE;
import static dev.latchkey.http.Situation.LEDGER_AWAY;
import static dev.latchkey.http.Situation.NO_KEY;
import static dev.latchkey.http.Situation.NO_ROOM_FOR_THE_KEY;
import static dev.latchkey.http.Situation.NO_ROOM_FOR_THE_TENANT;
import static dev.latchkey.http.Situation.NO_ROOM_ON_THE_NODE;
import static dev.latchkey.http.Situation.NO_ROOM_TO_KEEP_IT;
import static dev.latchkey.http.Situation.NO_ROOM_TO_RUN;
import static dev.latchkey.http.Situation.NO_SUCH_PAYMENT;
import static dev.latchkey.http.Situation.OTHER_FINISHED;
import static dev.latchkey.http.Situation.OTHER_NOT_STORED;
import static dev.latchkey.http.Situation.OTHER_OF_A_DEAD_OWNER;
import static dev.latchkey.http.Situation.OTHER_RUNNING;
import static dev.latchkey.http.Situation.OTHER_RUNNING_ELSEWHERE;
import static dev.latchkey.http.Situation.PARKED;
import static dev.latchkey.http.Situation.PARKED_ELSEWHERE;
import static dev.latchkey.http.Situation.PARKED_NOT_RETAINED;
import static dev.latchkey.http.Situation.PARKED_NOT_STORED;
import static dev.latchkey.http.Situation.PARKED_NOT_STORED_ELSEWHERE;
import static dev.latchkey.http.Situation.PARKED_TAKES_OVER;
import static dev.latchkey.http.Situation.PARKED_TOO_LONG;
import static dev.latchkey.http.Situation.PARKED_WHILE_ITS_NODE_DRAINS;
import static dev.latchkey.http.Situation.PARKED_WHILE_TAKEN_OVER;
import static dev.latchkey.http.Situation.PSP_UNAVAILABLE;
import static dev.latchkey.http.Situation.RUNS_TOO_LONG;
import static dev.latchkey.http.Situation.SAME_DECLINED;
import static dev.latchkey.http.Situation.SAME_FINISHED;
import static dev.latchkey.http.Situation.SAME_FINISHED_ELSEWHERE;
import static dev.latchkey.http.Situation.SAME_FINISHED_STORE_AWAY;
import static dev.latchkey.http.Situation.SAME_NOT_RETAINED;
import static dev.latchkey.http.Situation.SAME_NOT_STORED;
import static dev.latchkey.http.Situation.SAME_WHILE_THE_STORE_IS_LOST;
import static dev.latchkey.http.Situation.STORE_AWAY;
import static dev.latchkey.http.Situation.STORE_LOST_WHILE_RUNNING;
import static dev.latchkey.http.Situation.WILL_NOT_WAIT;

import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What a service can do wrong, each with the rows of the table that have to notice. */
enum Defect {
  /** A request without a key is given one. */
  KEY_MADE_UP(
      inFront(
          headers -> {
            if (!headers.contains(KEY)) {
              headers.set(KEY, UUID.randomUUID().toString());
            }
          }),
      NO_KEY),
  /** What a key cannot hold is left out of it. */
  KEY_CLEANED(
      inFront(headers -> headers.set(KEY, headers.get(KEY).replace(",", ""))), KEY_MALFORMED),
  /** Of several keys the first one counts. */
  FIRST_KEY_TAKEN(inFront(headers -> headers.set(KEY, headers.get(KEY))), KEY_SENT_TWICE),
  /** The answer leaves although it was never stored. */
  ANSWER_BEFORE_STORED(ofRecords(BrokenStores.Forgetful::new), FIRST_USE),
  /** Only what succeeded is stored. */
  REFUSALS_NOT_STORED(
      ofStore(BrokenStores.OnlySuccesses::new).withoutReplayCache(),
      DECLINED,
      NO_SUCH_PAYMENT,
      SAME_DECLINED),
  /** An outage of the PSP is stored as its last word. */
  PSP_OUTAGE_IS_FINAL(
      Sabotage.ofPsp(BrokenParts.OutageIsADecline::new),
      PSP_UNAVAILABLE,
      SAME_NOT_STORED,
      PARKED_NOT_STORED),
  /** A 503 leaves, and its key stays claimed. */
  NO_RELEASE(
      ofRecords(BrokenStores.NoRelease::new),
      SAME_NOT_STORED,
      OTHER_NOT_STORED,
      PARKED_NOT_STORED_ELSEWHERE),
  /** A 503 never leaves, nor do those who wait hear of it. */
  RELEASE_UNANSWERED(
      ofStore(BrokenStores.ReleaseUnanswered::new), PSP_UNAVAILABLE, PARKED_NOT_STORED),
  /** Any number of attempts may run. */
  NO_LIMIT_TO_RUNNING(ofOptions(Set.of("--max-running")), NO_ROOM_TO_RUN),
  /** An attempt may run for any time. */
  NO_RUN_LIMIT(ofOptions(Set.of("--run-limit")), RUNS_TOO_LONG),
  /** The key of an answer that is too large is free again. */
  OVERSIZED_RELEASED(
      ofRecords(BrokenStores.OversizedReleased::new).withoutReplayCache(),
      NO_ROOM_TO_KEEP_IT,
      SAME_NOT_RETAINED),
  /** An answer of any size is kept. */
  NO_LIMIT_TO_ANSWERS(ofOptions(Set.of("--max-response")), SAME_NOT_RETAINED, PARKED_NOT_RETAINED),
  /** Books that cannot be read are taken for empty. */
  LEDGER_OUTAGE_IS_EMPTY(Sabotage.ofLedger(BrokenParts.OutageIsEmpty::new), LEDGER_AWAY),
  /** Where the store does not answer, the request just runs. */
  RUNS_WITHOUT_CLAIM(ofStore(BrokenStores.ClaimsWithoutAnswer::new), STORE_AWAY),
  /** A completion counts as soon as it was sent. */
  COMPLETION_UNCONFIRMED(
      ofStore(BrokenStores.CompletesWithoutAnswer::new),
      STORE_LOST_WHILE_RUNNING,
      SAME_WHILE_THE_STORE_IS_LOST),
  /** A stored answer does not keep the next attempt from running. */
  RUNS_AGAIN(
      ofRecords(BrokenStores.RunsAgain::new).withoutReplayCache(),
      SAME_FINISHED,
      SAME_FINISHED_ELSEWHERE,
      SAME_DECLINED),
  /** What was answered here is asked of the store every time. */
  NO_REPLAY_CACHE(Sabotage.ofOptions(Set.of()).withoutReplayCache(), SAME_FINISHED_STORE_AWAY),
  /** A key stands for any request. */
  FINGERPRINT_IGNORED(
      ofRecords(BrokenStores.AnyRequest::new).withoutReplayCache(),
      OTHER_RUNNING_ELSEWHERE,
      OTHER_FINISHED,
      OTHER_NOT_STORED,
      OTHER_OF_A_DEAD_OWNER),
  /** Whatever comes with a key that is in use waits, also another request. */
  OTHER_PARKED(Sabotage.ofRoutes(router -> router.route().handler(Defect::park)), OTHER_RUNNING),
  /** Nobody waits for anybody. */
  NEVER_PARKED(inFront(headers -> headers.set("Prefer", "wait=0")), PARKED, PARKED_ELSEWHERE),
  /** Nobody is told that a key was completed or released. */
  NO_WAKE_UP(ofRecords(BrokenStores.Silent::new), PARKED_ELSEWHERE, PARKED_NOT_STORED_ELSEWHERE),
  /** Nobody takes over from an owner that has died. */
  NO_TAKEOVER(ofRecords(BrokenStores.NoTakeover::new), PARKED_TAKES_OVER, PARKED_WHILE_TAKEN_OVER),
  /** Whoever wants to take over does, and the store knows nothing of it. */
  TAKEOVER_UNDECIDED(
      ofRecords(BrokenStores.TakeoverUndecided::new), PARKED_TAKES_OVER, PARKED_WHILE_TAKEN_OVER),
  /** The node's own wait is not looked at. */
  WAIT_UNLIMITED(ofOptions(Set.of("--wait")), PARKED_TOO_LONG),
  /** The client's wait is not looked at. */
  PREFERENCE_IGNORED(inFront(headers -> headers.remove("Prefer")), WILL_NOT_WAIT),
  /** Any number of duplicates may wait. */
  NO_LIMIT_TO_WAITING(
      ofOptions(Set.of("--max-parked", "--max-parked-per-tenant", "--max-parked-per-key")),
      NO_ROOM_FOR_THE_KEY,
      NO_ROOM_FOR_THE_TENANT,
      NO_ROOM_ON_THE_NODE),
  /** A node that ends keeps those who wait there for another. */
  DRAIN_KEEPS_WAITERS(Sabotage.ofNode(BrokenParts.KeepsWaiters::new), PARKED_WHILE_ITS_NODE_DRAINS);

  private static final Set<String> USED = ConcurrentHashMap.newKeySet();

  private final Sabotage sabotage;
  private final List<Situation> rows;

  Defect(Sabotage sabotage, Situation... rows) {
    this.sabotage = sabotage;
    this.rows = List.of(rows);
  }

  Sabotage sabotage() {
    return sabotage;
  }

  /** The rows that have to notice. */
  List<Situation> rows() {
    return rows;
  }

  /** Changes what the API sees of the headers of a request. */
  private static Sabotage inFront(Consumer<MultiMap> change) {
    return Sabotage.ofRoutes(
        router ->
            router
                .route("/v1/*")
                .handler(
                    ctx -> {
                      change.accept(ctx.request().headers());
                      ctx.next();
                    }));
  }

  private static void park(RoutingContext ctx) {
    if (USED.add(ctx.request().getHeader(KEY))) {
      ctx.next();
    }
  }
}
