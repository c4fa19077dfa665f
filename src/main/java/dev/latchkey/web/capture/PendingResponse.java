package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.List;
import java.util.Set;

/** The captured head and body of an unfinished response. Callers hold the recorder's lock. */
final class PendingResponse {

  private final CapturingResponse owner;
  private final HttpMethod method;

  PendingHead head;
  Buffer body = Buffer.buffer();

  /** The body bytes written, including those not kept in {@link #body}. */
  long bytes;

  boolean headWritten;
  boolean ended;

  /** It was reported as failed or aborted. Later writes are ignored. */
  boolean over;

  private boolean failedBefore;
  private List<Header> headers = List.of();
  private Set<String> removed = Set.of();

  PendingResponse(CapturingResponse owner, HttpServerRequestInternal request) {
    this.owner = owner;
    method = request.method();
    head = new PendingHead(owner.real(), request.version());
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

  /** Copies counted bytes, because the handler may reuse its buffer. */
  void append(Buffer chunk) {
    if (body.length() == 0) {
      body = Buffer.buffer(chunk.length());
    }
    body.appendBuffer(chunk);
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
    kept.addAll(StoredHeaders.notes(removed, head.explicitMessage()));
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
