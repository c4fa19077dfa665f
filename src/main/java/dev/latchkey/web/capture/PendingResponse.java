package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.List;
import java.util.Set;

/**
 * The head and body of a captured response so far. Guarded by the lock of its {@link
 * ResponseRecorder}.
 */
final class PendingResponse {

  private final CapturingResponse owner;
  private final HttpMethod method;

  private PendingHead head;
  private Buffer body = Buffer.buffer();
  private long bytes;
  private boolean headWritten;
  private boolean failedBefore;
  private boolean ended;
  private boolean over;
  private List<Header> headers = List.of();
  private Set<String> removed = Set.of();

  PendingResponse(CapturingResponse owner, HttpServerRequestInternal request) {
    this.owner = owner;
    method = request.method();
    head = new PendingHead(owner.real(), request.version());
  }

  PendingHead head() {
    return head;
  }

  Buffer body() {
    return body;
  }

  /** Returns the number of body bytes written, including those not kept here. */
  long bytes() {
    return bytes;
  }

  boolean isHeadWritten() {
    return headWritten;
  }

  boolean isEnded() {
    return ended;
  }

  void setEnded(boolean isEnded) {
    ended = isEnded;
  }

  /** Returns whether it was reported as failed or aborted. Later writes are ignored. */
  boolean isOver() {
    return over;
  }

  void setOver() {
    over = true;
  }

  void checkOpen() {
    if (ended) {
      throw new IllegalStateException("Response has already been written");
    }
  }

  void checkHead() {
    if (headWritten) {
      throw new IllegalStateException("Response head already sent");
    }
  }

  /** Fixes the head: for the handler it is sent. */
  void fixHead() {
    failedBefore = owner.failed();
    owner.endHeaders();
    headWritten = true;
    headers = head.changed();
    removed = head.removed();
  }

  void count(long more) {
    bytes += more;
  }

  /** Copies counted bytes, because the handler may reuse its buffer. */
  void append(Buffer chunk) {
    if (body.length() == 0) {
      body = Buffer.buffer(chunk.length());
    }
    body.appendBuffer(chunk);
  }

  /** Sets the whole body, without copying it. */
  void setBody(Buffer whole) {
    body = whole;
  }

  /** Returns and forgets the body. */
  Buffer takeBody() {
    Buffer taken = body;
    body = Buffer.buffer();
    return taken;
  }

  /**
   * Returns whether the request failed after the head was written.
   *
   * @param strict true to include a head that a failure handler wrote
   */
  boolean isSpoiled(boolean strict) {
    return headWritten && !ended && !over && owner.failed() && (strict || !failedBefore);
  }

  /** Becomes an empty 500 that ignores further writes. */
  void spoil() {
    clear();
    head.setStatus(500);
    head.size(method, 0);
    fixHead();
    over = true;
  }

  /** Starts over from the real response. */
  void restart() {
    clear();
    headWritten = false;
    ended = false;
    over = false;
  }

  private void clear() {
    head = head.restarted();
    body = Buffer.buffer();
    bytes = 0;
  }

  /**
   * Returns the complete response.
   *
   * @param headFirst whether the head was written before the length was known
   */
  CapturedResponse complete(boolean headFirst) {
    boolean unsized = headFirst && !head.isHttp1() && !head.isSized();
    List<Header> kept = StoredHeaders.of(headers, method, head.status(), body.length(), unsized);
    StoredResponse stored =
        new StoredResponse(true, head.status(), kept, body, head.sentTrailers());
    return new CapturedResponse(stored, headers, removed, head.explicitMessage(), unsized);
  }

  /** Copies the head to the real response. */
  void writeHead(HttpServerResponse response, List<Header> extra) {
    response.setStatusCode(head.status());
    head.explicitMessage().ifPresent(response::setStatusMessage);
    ResponseSender.setHead(response, headers, removed, extra);
  }
}
