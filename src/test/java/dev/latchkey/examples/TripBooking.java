package dev.latchkey.examples;

import dev.latchkey.web.Idempotency;
import dev.latchkey.web.Problem;
import dev.latchkey.web.Reply;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.function.Function;

/**
 * Books a trip in three steps. The room system accepts an idempotency key, so its call may be
 * repeated. The courier system does not: the attempt records its intent first, and a later attempt
 * that finds the intent queries the outcome instead of sending a second courier. The last step
 * commits the application's own row together with the response.
 */
final class TripBooking implements Handler<RoutingContext> {

  static final String TABLE =
      "CREATE TABLE trip (key text NOT NULL, room text NOT NULL, courier text NOT NULL)";

  /** For a step that could not be recorded. The next attempt determines what was done. */
  private static final Problem UNRESOLVED =
      Problem.of(503, "trip-unresolved", "Trip unresolved", "Try again with the same key.")
          .retryable(true);

  /** How far an attempt got. */
  enum Point {
    BEGUN,
    ROOM_RESERVED,
    ROOM_RECORDED,
    COURIER_INTENDED,
    COURIER_SENT,
    COURIER_RECORDED,
    ROW_INSERTED
  }

  private final TripPartners partners;
  private final Function<Point, Future<Void>> passing;

  /**
   * Creates a handler.
   *
   * @param passing called at each point; the attempt continues when its future completes
   */
  TripBooking(TripPartners partners, Function<Point, Future<Void>> passing) {
    this.partners = partners;
    this.passing = passing;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Idempotency claim = Idempotency.of(ctx);
    passing
        .apply(Point.BEGUN)
        .compose(v -> reserveRoom(claim))
        .compose(
            room ->
                sendCourier(claim)
                    .map(courier -> Tuple.of(claim.key(), room.toString(), courier.toString())))
        .onSuccess(row -> claim.transaction(SqlConnection.class, it -> insert(it, row)))
        .onFailure(lost -> UNRESOLVED.send(ctx));
  }

  private Future<Buffer> reserveRoom(Idempotency claim) {
    return claim
        .step(
            "room",
            () ->
                partners
                    .reserveRoom(claim.downstreamKey("room"))
                    .compose(passed(Point.ROOM_RESERVED)))
        .compose(passed(Point.ROOM_RECORDED));
  }

  private Future<Buffer> sendCourier(Idempotency claim) {
    Buffer thisAttempt = Buffer.buffer().appendInt(claim.attempt());
    String reference = claim.downstreamKey("courier");
    return claim
        .step("courier intended", () -> Future.succeededFuture(thisAttempt))
        .compose(passed(Point.COURIER_INTENDED))
        .compose(
            by ->
                claim.step(
                    "courier",
                    () ->
                        (by.equals(thisAttempt)
                                ? partners.sendCourier(reference)
                                : sendUnlessSent(reference))
                            .compose(passed(Point.COURIER_SENT))))
        .compose(passed(Point.COURIER_RECORDED));
  }

  private Future<Buffer> sendUnlessSent(String reference) {
    return partners
        .findCourier(reference)
        .compose(
            found ->
                found
                    .map(Future::succeededFuture)
                    .orElseGet(() -> partners.sendCourier(reference)));
  }

  private Future<Reply> insert(SqlConnection connection, Tuple row) {
    return connection
        .preparedQuery("INSERT INTO trip (key, room, courier) VALUES ($1, $2, $3)")
        .execute(row)
        .compose(rows -> passing.apply(Point.ROW_INSERTED))
        .map(
            v ->
                Reply.json(
                    201,
                    new JsonObject()
                        .put("room", row.getString(1))
                        .put("courier", row.getString(2))));
  }

  private Function<Buffer, Future<Buffer>> passed(Point point) {
    return result -> passing.apply(point).map(result);
  }
}
