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
 * A captured answer as far as it is written: its head, its body, and which of both nobody can
 * change any more. Confined to the lock of its {@link Recorder}.
 */
final class Draft {

  private final CapturingResponse owner;
  private final HttpMethod method;

  private Head head;
  private Buffer body = Buffer.buffer();
  private long bytes;
  private boolean headWritten;
  private boolean failedBefore;
  private boolean ended;
  private boolean over;
  private List<Header> headers = List.of();
  private Set<String> removed = Set.of();

  Draft(CapturingResponse owner, HttpServerRequestInternal request) {
    this.owner = owner;
    method = request.method();
    head = new Head(owner.real(), request.version());
  }

  Head head() {
    return head;
  }

  Buffer body() {
    return body;
  }

  /** Bytes of body that were written so far, also those that are not kept here. */
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

  /** Reported as failed or aborted: what is still written is accepted and forgotten. */
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

  /** The head leaves, as far as the handler can tell: nothing in it changes any more. */
  void fixHead() {
    failedBefore = owner.failed();
    owner.endHeaders();
    headWritten = true;
    headers = head.changed();
    removed = head.removed();
  }

  /** Counts bytes that follow, wherever they are kept. */
  void count(long more) {
    bytes += more;
  }

  /** Keeps bytes that are counted already; copied, since the handler may use its buffer again. */
  void append(Buffer chunk) {
    if (body.length() == 0) {
      body = Buffer.buffer(chunk.length());
    }
    body.appendBuffer(chunk);
  }

  /** Takes the bytes of a file over, which nobody else changes. */
  void setBody(Buffer whole) {
    body = whole;
  }

  /** Returns the body that is kept here, and keeps none of it. */
  Buffer takeBody() {
    Buffer taken = body;
    body = Buffer.buffer();
    return taken;
  }

  /**
   * Returns whether the request failed after its head was written.
   *
   * @param strict also when the head was written by a failure handler
   */
  boolean isSpoiled(boolean strict) {
    return headWritten && !ended && !over && owner.failed() && (strict || !failedBefore);
  }

  /** Begins again as the empty 500 that nobody adds anything to. */
  void spoil() {
    clear();
    head.setStatus(500);
    head.size(method, 0);
    fixHead();
    over = true;
  }

  /** Begins again as the real response is. */
  void restart() {
    clear();
    headWritten = false;
    ended = false;
    over = false;
  }

  private void clear() {
    head = head.again();
    body = Buffer.buffer();
    bytes = 0;
  }

  /**
   * Returns what is to be stored and sent.
   *
   * @param headFirst whether the head was written before the length was known
   */
  Answer answer(boolean headFirst) {
    boolean unsized = headFirst && !head.isHttp1() && !head.isSized();
    List<Header> kept = StoredHeaders.of(headers, method, head.status(), body.length(), unsized);
    StoredResponse stored =
        new StoredResponse(true, head.status(), kept, body, head.sentTrailers());
    return new Answer(stored, headers, removed, head.explicitMessage(), unsized);
  }

  /** Puts the head on the real response. */
  void writeHead(HttpServerResponse response, List<Header> extra) {
    response.setStatusCode(head.status());
    head.explicitMessage().ifPresent(response::setStatusMessage);
    Replay.setHead(response, headers, removed, extra);
  }
}
