package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult.Completed;
import dev.latchkey.core.spi.StoredResponseCodec;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The looks of one event loop, over a connection that carries nothing else. One statement is under
 * way at a time. A look that finds none waits for whatever else this turn of the event loop brings,
 * all others for the answer to the one before them. A look may fail at any time, since whoever asks
 * goes on with a claim: none is tried again here. May be called on any thread; runs on its own
 * loop.
 */
final class LookLane implements Lanes.OfLoop {

  private record Look(ClaimRequest request, Promise<Optional<Completed>> answer) {}

  private final Link link;
  private final PostgresStoreOptions limits;
  private final ArrayDeque<Look> waiting = new ArrayDeque<>();
  private boolean busy;

  LookLane(Link link, PostgresStoreOptions limits) {
    this.link = link;
    this.limits = limits;
  }

  /**
   * Reads the answer to a request; empty where a claim has to tell what there is. So it is, too,
   * while there is no connection, or too many looks wait.
   */
  Future<Optional<Completed>> look(ClaimRequest request) {
    return link.on(() -> asked(request));
  }

  private Future<Optional<Completed>> asked(ClaimRequest request) {
    if (!link.isReady()) {
      // For a later look: no claim waits for this connection, or fails for it.
      link.ready();
      return Future.succeededFuture(Optional.empty());
    }
    if (waiting.size() >= limits.maxQueue()) {
      return Future.succeededFuture(Optional.empty());
    }
    Look look = new Look(request, Promise.promise());
    waiting.add(look);
    if (!busy) {
      busy = true;
      link.context().runOnContext(ignored -> sendNext());
    }
    return look.answer().future();
  }

  private void sendNext() {
    List<Look> batch = new ArrayList<>(Math.min(waiting.size(), limits.maxBatch()));
    while (!waiting.isEmpty() && batch.size() < limits.maxBatch()) {
      batch.add(waiting.remove());
    }
    // Whatever is thrown on the way must not leave the lane busy for ever.
    Future.succeededFuture()
        .compose(begun -> link.send(ClaimSql.LOOK, values(batch)))
        .onComplete(done -> answered(batch, done));
  }

  private static Tuple values(List<Look> looks) {
    List<Claim> claims = new ArrayList<>(looks.size());
    looks.forEach(it -> claims.add(it.request().claim()));
    return Keys.arrays(claims, Claim::key)
        .addValue(Keys.buffers(claims, it -> Buffer.buffer(it.fingerprint().toBytes())));
  }

  private void answered(List<Look> batch, AsyncResult<RowSet<Row>> done) {
    if (done.failed()) {
      batch.addAll(waiting);
      waiting.clear();
      busy = false;
      batch.forEach(it -> it.answer().fail(done.cause()));
      return;
    }
    // The server works on the next ones while these are told.
    busy = !waiting.isEmpty();
    if (busy) {
      sendNext();
    }
    for (Row row : done.result()) {
      batch.get(row.getInteger(0) - 1).answer().complete(completed(row));
    }
    batch.forEach(it -> it.answer().tryComplete(Optional.empty()));
  }

  /** Empty where the record cannot be read, whatever is wrong with it: the claim says why. */
  private static Optional<Completed> completed(Row row) {
    try {
      return Optional.of(
          new Completed(
              StoredResponseCodec.decode(row.getBuffer(3).getBytes()),
              Records.expiry(row.getLong(2), row.getLong(1))));
    } catch (RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  @Override
  public Future<Void> close() {
    return link.close();
  }
}
