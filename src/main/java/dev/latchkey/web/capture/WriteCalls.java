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
 * The calls that write a captured answer and end it, into its {@link Draft} or, past the limit,
 * into an {@link Overflow}. Called under the lock of the {@link Recorder}.
 */
final class WriteCalls {

  private final CapturingResponse owner;
  private final Recorder recorder;
  private final Draft draft;
  private final HttpMethod method;
  private final ContextInternal context;
  private final int maxBytes;
  private final Sink sink;
  private final Reports reports;
  private final List<Promise<Void>> ends = new ArrayList<>();
  private @Nullable Overflow overflow;
  private int round;

  WriteCalls(
      CapturingResponse owner,
      Recorder recorder,
      Draft draft,
      HttpServerRequestInternal request,
      int maxBytes,
      Sink sink,
      Reports reports) {
    this.owner = owner;
    this.recorder = recorder;
    this.draft = draft;
    method = request.method();
    context = request.context();
    this.maxBytes = maxBytes;
    this.sink = sink;
    this.reports = reports;
  }

  boolean isFull() {
    draft.checkOpen();
    return overflow != null && overflow.isFull();
  }

  Future<Void> write(Optional<Buffer> chunk) {
    guard(false);
    draft.checkOpen();
    if (draft.isOver()) {
      return Future.succeededFuture();
    }
    if (chunk.isEmpty()) {
      draft.checkHead();
    }
    if (!draft.isHeadWritten()) {
      draft.head().checkFramed();
      draft.fixHead();
    }
    return add(chunk, false).orElseGet(Future::succeededFuture);
  }

  Future<Void> end(Optional<Buffer> chunk) {
    guard(false);
    draft.checkOpen();
    if (draft.isOver()) {
      draft.setEnded(true);
      return whenSent();
    }
    boolean headFirst = draft.isHeadWritten();
    if (!headFirst) {
      draft.head().size(method, chunk.map(Buffer::length).orElse(0));
      draft.fixHead();
    }
    draft.setEnded(true);
    return add(chunk, true).orElseGet(() -> finish(headFirst));
  }

  /** Returns a future where the bytes go to the overflow, empty where they are captured. */
  private Optional<Future<Void>> add(Optional<Buffer> chunk, boolean last) {
    int size = chunk.map(Buffer::length).orElse(0);
    draft.count(size);
    if (overflow == null && (long) draft.body().length() + size > maxBytes) {
      Overflow started = overflow(Optional.empty());
      if (draft.body().length() > 0) {
        started.add(Optional.of(draft.takeBody()), false);
      }
    }
    if (overflow != null) {
      return Optional.of(overflow.add(chunk, last));
    }
    chunk.ifPresent(draft::append);
    return Optional.empty();
  }

  private Overflow overflow(Optional<Function<HttpServerResponse, Future<Void>>> file) {
    Overflow started = new Overflow(owner, recorder, file);
    overflow = started;
    int status = draft.head().status();
    Optional<String> location = Optional.ofNullable(draft.head().headers.get(HttpHeaders.LOCATION));
    reports.add(() -> sink.overflow(status, location, started));
    return started;
  }

  private Future<Void> finish(boolean headFirst) {
    Answer answer = draft.answer(headFirst);
    reports.add(() -> sink.captured(answer));
    return whenSent();
  }

  /**
   * A real server could not take back what it had sent when the request failed half-way. Here
   * nothing was sent, and the answer must not pass for the success that it began as.
   *
   * @param strict also when the head was written by a failure handler
   */
  void guard(boolean strict) {
    if (overflow == null && draft.isSpoiled(strict)) {
      draft.spoil();
      finish(false);
    }
  }

  Future<Void> sendFile(@Nullable Object[] args) {
    guard(false);
    draft.checkOpen();
    if (draft.isOver() || overflow != null) {
      draft.setEnded(true);
      return whenSent();
    }
    Object file = Objects.requireNonNull(args[0], "file");
    long offset = (Long) Objects.requireNonNull(args[1]);
    long length = (Long) Objects.requireNonNull(args[2]);
    if (!(file instanceof String) && !draft.head().isHttp1()) {
      return context.failedFuture("HTTP/2 does not support sending an open file for now");
    }
    draft.checkHead();
    draft.setEnded(true);
    int at = round;
    Promise<Void> sent = context.promise();
    SentFile source = SentFile.of(file, offset, length);
    source
        .read(context, maxBytes)
        .onComplete(
            read -> {
              try {
                fileRead(at, source, read, sent);
              } finally {
                reports.tell();
              }
            });
    return sent.future();
  }

  private void fileRead(int at, SentFile source, AsyncResult<FileBody> read, Promise<Void> sent) {
    synchronized (recorder) {
      if (at != round) {
        sent.complete();
        return;
      }
      if (read.succeeded()) {
        FileBody part = read.result();
        source.describe(draft.head(), method, part.bytes());
        draft.fixHead();
        draft.count(part.bytes());
        if (part.body().isPresent()) {
          draft.setBody(part.body().get());
          finish(false).onComplete(sent);
        } else {
          overflow(Optional.of(source::send)).whole().onComplete(sent);
        }
        return;
      }
      draft.setEnded(false);
      if (read.cause() instanceof FileBody.OutOfRange && draft.head().isHttp1()) {
        source.describeType(draft.head());
      }
    }
    sent.fail(read.cause());
  }

  Future<Void> reset(@Nullable Object[] args) {
    if (draft.isEnded()) {
      return context.failedFuture("Response written");
    }
    abort("the handler reset the response with code " + args[0]);
    return context.succeededFuture();
  }

  void abort(String why) {
    draft.setEnded(true);
    if (!draft.isOver() && overflow == null) {
      draft.setOver();
      reports.add(() -> sink.aborted(new IllegalStateException(why)));
    }
  }

  /** Forgets what was written; a file that is still being read belongs to the dropped answer. */
  void restart() {
    round++;
    draft.restart();
    overflow = null;
  }

  private Future<Void> whenSent() {
    Promise<Void> sent = context.promise();
    ends.add(sent);
    return sent.future();
  }

  /** Returns the promises of the calls that ended an answer, and forgets them. */
  List<Promise<Void>> takeEnds() {
    List<Promise<Void>> taken = List.copyOf(ends);
    ends.clear();
    return taken;
  }
}
