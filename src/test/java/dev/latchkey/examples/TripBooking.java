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
 * Books a trip in three steps. The first takes a key and may be repeated. The second may not: that
 * it is about to be made is recorded before, so that an attempt that finds this recorded by another
 * asks what became of it rather than make it again. The third is rows of the application's own,
 * committed together with the answer.
 */
final class TripBooking implements Handler<RoutingContext> {

  static final String TABLE =
      "CREATE TABLE trip (key text NOT NULL, room text NOT NULL, courier text NOT NULL)";

  /** A step could not be recorded: the next attempt finds out what was done. */
  private static final Problem UNRESOLVED =
      Problem.of(503, "trip-unresolved", "Trip unresolved", "Try again with the same key.")
          .retryable(true);

  /** Between which steps an attempt is. */
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
   * Makes a handler.
   *
   * @param passing told of every point that an attempt passes; it goes on when that completes
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
