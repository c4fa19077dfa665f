package dev.latchkey.web.capture;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes and ends a captured response, in its {@link PendingResponse} or, above the limit, in an
 * {@link OversizedResponse}. Requires the lock of its recorder.
 */
final class ResponseWriter {

  private final CapturingResponse owner;
  private final ResponseRecorder recorder;
  private final PendingResponse pending;
  private final HttpMethod method;
  private final ContextInternal context;
  private final int maxBytes;
  private final CaptureListener listener;
  private final List<Promise<Void>> ends = new ArrayList<>();
  private @Nullable OversizedResponse oversized;
  private int round;

  ResponseWriter(
      CapturingResponse owner,
      ResponseRecorder recorder,
      PendingResponse pending,
      HttpServerRequestInternal request,
      int maxBytes,
      CaptureListener listener) {
    this.owner = owner;
    this.recorder = recorder;
    this.pending = pending;
    method = request.method();
    context = request.context();
    this.maxBytes = maxBytes;
    this.listener = listener;
  }

  boolean isFull() {
    pending.checkOpen();
    return oversized != null && oversized.isFull();
  }

  Future<Void> write(Optional<Buffer> chunk) {
    guard(false);
    pending.checkOpen();
    if (pending.over) {
      return Future.succeededFuture();
    }
    if (chunk.isEmpty()) {
      pending.checkHead();
    }
    if (!pending.headWritten) {
      pending.head.checkFramed();
      pending.fixHead();
    }
    return add(chunk, false).orElseGet(Future::succeededFuture);
  }

  Future<Void> end(Optional<Buffer> chunk) {
    guard(false);
    pending.checkOpen();
    if (pending.over) {
      pending.ended = true;
      return whenSent();
    }
    boolean headFirst = pending.headWritten;
    if (!headFirst) {
      pending.head.size(method, chunk.map(Buffer::length).orElse(0));
      pending.fixHead();
    }
    pending.ended = true;
    return add(chunk, true).orElseGet(() -> finish(headFirst));
  }

  /** Returns a future if the bytes go to the oversized buffer, empty if they are captured. */
  private Optional<Future<Void>> add(Optional<Buffer> chunk, boolean last) {
    int size = chunk.map(Buffer::length).orElse(0);
    pending.bytes += size;
    if (oversized == null && (long) pending.body.length() + size > maxBytes) {
      OversizedResponse started = oversized(Optional.empty());
      if (pending.body.length() > 0) {
        started.add(Optional.of(pending.body), false);
        pending.body = Buffer.buffer();
      }
    }
    if (oversized != null) {
      return Optional.of(oversized.add(chunk, last));
    }
    chunk.ifPresent(pending::append);
    return Optional.empty();
  }

  private OversizedResponse oversized(Optional<Function<HttpServerResponse, Future<Void>>> file) {
    OversizedResponse started = new OversizedResponse(owner, recorder, file);
    oversized = started;
    int status = pending.head.status();
    Optional<String> location = Optional.ofNullable(pending.head.headers.get(HttpHeaders.LOCATION));
    recorder.report(() -> listener.oversized(status, location, started));
    return started;
  }

  private Future<Void> finish(boolean headFirst) {
    CapturedResponse response = pending.complete(headFirst);
    recorder.report(() -> listener.captured(response));
    return whenSent();
  }

  /**
   * Turns a response whose request failed after the head was written into a 500. A real server
   * could not take back the head; here nothing was sent yet.
   *
   * @param strict true to include a head that a failure handler wrote
   */
  void guard(boolean strict) {
    if (oversized == null && pending.isSpoiled(strict)) {
      pending.spoil();
      finish(false);
    }
  }

  Future<Void> sendFile(@Nullable Object[] args) {
    guard(false);
    pending.checkOpen();
    if (pending.over || oversized != null) {
      pending.ended = true;
      return whenSent();
    }
    Object file = Objects.requireNonNull(args[0], "file");
    long offset = (Long) Objects.requireNonNull(args[1]);
    long length = (Long) Objects.requireNonNull(args[2]);
    if (!(file instanceof String) && !pending.head.isHttp1()) {
      return context.failedFuture("HTTP/2 does not support sending an open file for now");
    }
    pending.checkHead();
    pending.ended = true;
    int at = round;
    Promise<Void> sent = context.promise();
    FilePart source = FilePart.of(file, offset, length);
    source
        .read(context, maxBytes)
        .onComplete(
            read -> {
              try {
                fileRead(at, source, read, sent);
              } finally {
                recorder.runReports();
              }
            });
    return sent.future();
  }

  private void fileRead(
      int at, FilePart source, AsyncResult<FilePart.Content> read, Promise<Void> sent) {
    synchronized (recorder) {
      if (at != round) {
        sent.complete();
        return;
      }
      if (read.succeeded()) {
        FilePart.Content part = read.result();
        source.describe(pending.head, method, part.bytes());
        pending.fixHead();
        pending.bytes = part.bytes();
        if (part.body().isPresent()) {
          pending.body = part.body().get();
          finish(false).onComplete(sent);
        } else {
          oversized(Optional.of(source::send)).whole().onComplete(sent);
        }
        return;
      }
      pending.ended = false;
      if (read.cause() instanceof FilePart.OutOfRange && pending.head.isHttp1()) {
        source.describeType(pending.head);
      }
    }
    sent.fail(read.cause());
  }

  Future<Void> reset(@Nullable Object[] args) {
    if (pending.ended) {
      return context.failedFuture("Response written");
    }
    abort("the handler reset the response with code " + args[0]);
    return context.succeededFuture();
  }

  void abort(String why) {
    pending.ended = true;
    if (!pending.over && oversized == null) {
      pending.over = true;
      recorder.report(() -> listener.aborted(new IllegalStateException(why)));
    }
  }

  /** Starts a new round. A file being read belongs to the discarded response. */
  void restart() {
    round++;
    pending.restart();
    oversized = null;
  }

  private Future<Void> whenSent() {
    Promise<Void> sent = context.promise();
    ends.add(sent);
    return sent.future();
  }

  /** Returns and forgets the promises of the calls that ended a response. */
  List<Promise<Void>> takeEnds() {
    List<Promise<Void>> taken = List.copyOf(ends);
    ends.clear();
    return taken;
  }
}
