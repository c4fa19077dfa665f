package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A response too large to capture. Its writes, from any thread, are held back until it is streamed
 * or dropped: one of these is called, once, on the request's context.
 */
public final class OversizedResponse {

  private record Piece(Optional<Buffer> bytes, boolean last, Promise<Void> sent) {}

  private final CapturingResponse owner;
  private final ResponseRecorder recorder;
  private final Optional<Function<HttpServerResponse, Future<Void>>> file;
  private final Deque<Piece> pieces = new ArrayDeque<>();
  private final Promise<Void> whole = Promise.promise();
  private boolean decided;
  private boolean dropped;
  private boolean passing;

  /** For a body that is written, or that {@code file} lets the real response read from a file. */
  OversizedResponse(
      CapturingResponse owner,
      ResponseRecorder recorder,
      Optional<Function<HttpServerResponse, Future<Void>>> file) {
    this.owner = owner;
    this.recorder = recorder;
    this.file = file;
  }

  Future<Void> whole() {
    return whole.future();
  }

  synchronized boolean isFull() {
    return !dropped;
  }

  /** Completes with the real write, or at once if the response is dropped. */
  Future<Void> add(Optional<Buffer> bytes, boolean last) {
    Piece piece = new Piece(bytes, last, Promise.promise());
    synchronized (this) {
      if (dropped) {
        return Future.succeededFuture();
      }
      if (!passing) {
        pieces.add(piece);
        return piece.sent().future();
      }
    }
    send(owner.real(), piece);
    return piece.sent().future();
  }

  /**
   * Sends the head and the body held back so far, then passes further writes through with the
   * back-pressure of the connection.
   *
   * @param extra headers to add; they replace the handler's headers of the same name
   * @return completes when the whole response is sent, fails if the client disconnected
   */
  public Future<Void> stream(List<Header> extra) {
    decide();
    HttpServerResponse real = owner.real();
    if (real.ended()) {
      drop(new IllegalStateException("another response was already sent"));
      return whole();
    }
    recorder.writeHead(real, extra);
    if (file.isPresent()) {
      owner.passThrough(true);
      file.get().apply(real).onComplete(whole);
      return whole();
    }
    while (true) {
      Piece piece;
      synchronized (this) {
        piece = pieces.poll();
        if (piece == null) {
          // Under the lock, or a piece could be added that is never sent.
          passing = true;
          owner.passThrough(true);
          break;
        }
      }
      send(real, piece);
    }
    if (!real.ended() && !real.writeQueueFull()) {
      owner.deferred().drained();
    }
    return whole();
  }

  private void send(HttpServerResponse real, Piece piece) {
    Future<Void> sent;
    if (piece.last()) {
      owner.passThrough(true);
      sent = piece.bytes().map(real::end).orElseGet(real::end);
      sent.onComplete(whole);
    } else {
      sent = piece.bytes().map(real::write).orElseGet(Future::succeededFuture);
    }
    sent.onComplete(piece.sent());
  }

  /** Discards the response. Another may then be written to {@link CapturingResponse#real()}. */
  public void drop() {
    decide();
    drop(new IllegalStateException("the response was dropped"));
    owner.deferred().drained();
  }

  private void drop(Throwable why) {
    Deque<Piece> rest;
    synchronized (this) {
      dropped = true;
      rest = new ArrayDeque<>(pieces);
      pieces.clear();
    }
    rest.forEach(piece -> piece.sent().complete());
    whole.tryFail(why);
  }

  private synchronized void decide() {
    if (decided) {
      throw new IllegalStateException("the response was already streamed or dropped");
    }
    decided = true;
  }
}
