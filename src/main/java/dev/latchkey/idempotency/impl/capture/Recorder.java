package dev.latchkey.idempotency.impl.capture;

import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.StoredResponse.Header;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a downstream handler writes while it is captured: a response of its own that obeys the rules
 * of the real one, such as that nothing follows its end. All state is guarded by this object's
 * monitor; the sink is called outside of it, on the request's context.
 */
final class Recorder {

  /** Methods that the real response answers at any time: interim answers, the stream's own. */
  static final Set<String> PASSED =
      Set.of(
          "writeContinue",
          "writeEarlyHints",
          "streamId",
          "bodyEndHandler",
          "setWriteQueueMaxSize",
          "setStreamPriority");

  private static final String WRITTEN = "Response has already been written";

  private final CapturingResponse owner;
  private final HttpServerRequestInternal request;
  private final ContextInternal context;
  private final int maxBytes;
  private final Sink sink;
  private final List<Promise<Void>> ends = new ArrayList<>();
  private final CapturedCookies cookies;
  private final Reports reports;

  private Head head;
  private Buffer body = Buffer.buffer();
  private long bytes;
  private boolean headWritten;
  private boolean failedBefore;
  private boolean ended;
  // Reported as failed or aborted: what is still written is accepted and forgotten.
  private boolean over;
  private @Nullable Overflow overflow;
  private List<Header> headers = List.of();
  private Set<String> removed = Set.of();
  private int round;

  Recorder(CapturingResponse owner, HttpServerRequestInternal request, int maxBytes, Sink sink) {
    this.owner = owner;
    this.request = request;
    cookies = new CapturedCookies(owner.real());
    context = request.context();
    reports = new Reports(this, context);
    this.maxBytes = maxBytes;
    this.sink = sink;
    head = new Head(owner.real(), request.version());
  }

  /** Carries out a call of the handler; this object stands for the response itself. */
  @Nullable Object call(String method, @Nullable Object[] args) {
    boolean toTell = true;
    try {
      synchronized (this) {
        Object result = record(method, args);
        toTell = reports.isAny();
        return result;
      }
    } finally {
      if (toTell) {
        reports.tell();
      }
    }
  }

  private @Nullable Object record(String method, @Nullable Object[] args) {
    return switch (method) {
      case "getStatusCode" -> head.status();
      case "getStatusMessage" -> head.message();
      case "isChunked" -> head.isChunked();
      case "headers" -> head.headers;
      case "trailers" -> head.trailers;
      case "ended" -> ended;
      case "closed" -> false;
      case "headWritten" -> headWritten;
      case "bytesWritten" -> bytes;
      case "writeQueueFull" -> isFull();
      case "setStatusCode", "setStatusMessage", "setChunked", "putHeader", "putTrailer" ->
          change(method, args);
      case "addCookie", "removeCookie", "removeCookies" -> cookie(method, args);
      case "writeHead" -> write(Optional.empty());
      case "write" -> write(Optional.of(Arguments.chunk(args)));
      case "end" -> end(args.length == 0 ? Optional.empty() : Optional.of(Arguments.chunk(args)));
      case "sendFile" -> sendFile(args);
      case "exceptionHandler", "drainHandler", "closeHandler", "endHandler" -> hold(method, args);
      case "reset" -> reset(args);
      case "push", "writeCustomFrame" ->
          context.failedFuture(method + " is not possible while the answer is captured");
      // A method that a later Vert.x adds: loud, since passed on it would let an answer out
      // unstored.
      default ->
          throw new IllegalStateException(
              method + " is unknown to the capture of answers; nothing was sent, do not retry");
    };
  }

  private Recorder change(String method, @Nullable Object[] args) {
    if (method.equals("putTrailer")) {
      guard(false);
      checkOpen();
      Arguments.put(head.trailers, args);
      return this;
    }
    guard(method.equals("setStatusCode"));
    if (over) {
      return this;
    }
    checkHead();
    switch (method) {
      case "setStatusCode" -> head.setStatus((Integer) Objects.requireNonNull(args[0]));
      case "setStatusMessage" -> head.setMessage((String) Objects.requireNonNull(args[0]));
      case "setChunked" -> head.setChunked((Boolean) Objects.requireNonNull(args[0]));
      default -> Arguments.put(head.headers, args);
    }
    return this;
  }

  private @Nullable Object cookie(String method, @Nullable Object[] args) {
    guard(false);
    if (!over) {
      checkHead();
    }
    Object result = over ? CapturedCookies.none(method) : cookies.call(method, args);
    return method.equals("addCookie") ? this : result;
  }

  private Recorder hold(String method, @Nullable Object[] args) {
    if (args[0] != null) {
      checkOpen();
    }
    owner.held().hold(method, args[0]);
    return this;
  }

  private boolean isFull() {
    checkOpen();
    return overflow != null && overflow.isFull();
  }

  private Future<Void> write(Optional<Buffer> chunk) {
    guard(false);
    checkOpen();
    if (over) {
      return Future.succeededFuture();
    }
    if (chunk.isEmpty()) {
      checkHead();
    }
    if (!headWritten) {
      head.checkFramed();
      fixHead();
    }
    return add(chunk, false).orElseGet(Future::succeededFuture);
  }

  private Future<Void> end(Optional<Buffer> chunk) {
    guard(false);
    checkOpen();
    if (over) {
      ended = true;
      return whenSent();
    }
    boolean headFirst = headWritten;
    if (!headWritten) {
      head.size(request.method(), chunk.map(Buffer::length).orElse(0));
      fixHead();
    }
    ended = true;
    return add(chunk, true).orElseGet(() -> finish(headFirst));
  }

  /** Returns a future where the bytes go to the overflow, empty where they are captured. */
  private Optional<Future<Void>> add(Optional<Buffer> chunk, boolean last) {
    int size = chunk.map(Buffer::length).orElse(0);
    bytes += size;
    if (overflow == null && (long) body.length() + size > maxBytes) {
      Overflow started = overflow(Optional.empty());
      if (body.length() > 0) {
        started.add(Optional.of(body), false);
        body = Buffer.buffer();
      }
    }
    if (overflow != null) {
      return Optional.of(overflow.add(chunk, last));
    }
    // Copied, since the handler may use its buffer again.
    if (body.length() == 0) {
      body = Buffer.buffer(size);
    }
    chunk.ifPresent(body::appendBuffer);
    return Optional.empty();
  }

  private Overflow overflow(Optional<Function<HttpServerResponse, Future<Void>>> file) {
    Overflow started = new Overflow(owner, this, file);
    overflow = started;
    int status = head.status();
    Optional<String> location = Optional.ofNullable(head.headers.get(HttpHeaders.LOCATION));
    reports.add(() -> sink.overflow(status, location, started));
    return started;
  }

  /** The head leaves, as far as the handler can tell: nothing in it changes any more. */
  private void fixHead() {
    failedBefore = owner.failed();
    owner.endHeaders();
    headWritten = true;
    headers = head.changed();
    removed = head.removed();
  }

  private Future<Void> finish(boolean headFirst) {
    boolean unsized = headFirst && !head.isHttp1() && !head.isSized();
    List<Header> kept =
        StoredHeaders.of(headers, request.method(), head.status(), body.length(), unsized);
    StoredResponse stored =
        new StoredResponse(true, head.status(), kept, body, head.sentTrailers());
    Answer answer = new Answer(stored, headers, removed, head.explicitMessage(), unsized);
    reports.add(() -> sink.captured(answer));
    return whenSent();
  }

  /**
   * A real server could not take back what it had sent when the request failed half-way. Here
   * nothing was sent, and the answer must not pass for the success that it began as.
   *
   * @param strict also when the head was written by a failure handler
   */
  private void guard(boolean strict) {
    if (!headWritten || ended || over || overflow != null || !owner.failed()) {
      return;
    }
    if (strict || !failedBefore) {
      head = head.again();
      head.setStatus(500);
      body = Buffer.buffer();
      bytes = 0;
      head.size(request.method(), 0);
      fixHead();
      over = true;
      finish(false);
    }
  }

  private Future<Void> sendFile(@Nullable Object[] args) {
    guard(false);
    checkOpen();
    if (over || overflow != null) {
      ended = true;
      return whenSent();
    }
    Object file = Objects.requireNonNull(args[0], "file");
    long offset = (Long) Objects.requireNonNull(args[1]);
    long length = (Long) Objects.requireNonNull(args[2]);
    if (!(file instanceof String) && !head.isHttp1()) {
      return context.failedFuture("HTTP/2 does not support sending an open file for now");
    }
    checkHead();
    ended = true;
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
    synchronized (this) {
      if (at != round) {
        sent.complete();
        return;
      }
      if (read.succeeded()) {
        FileBody part = read.result();
        source.describe(head, request.method(), part.bytes());
        fixHead();
        bytes = part.bytes();
        if (part.body().isPresent()) {
          body = part.body().get();
          finish(false).onComplete(sent);
        } else {
          overflow(Optional.of(source::send)).whole().onComplete(sent);
        }
        return;
      }
      ended = false;
      if (read.cause() instanceof FileBody.OutOfRange && head.isHttp1()) {
        source.describeType(head);
      }
    }
    sent.fail(read.cause());
  }

  private Future<Void> reset(@Nullable Object[] args) {
    if (ended) {
      return context.failedFuture("Response written");
    }
    abort("the handler reset the response with code " + args[0]);
    return context.succeededFuture();
  }

  <T> Future<T> refuse(String what) {
    String why = what + " is not possible where the answer is captured";
    synchronized (this) {
      if (!ended) {
        abort(why);
      }
    }
    reports.tell();
    return context.failedFuture(new IllegalStateException(why));
  }

  private void abort(String why) {
    ended = true;
    if (!over && overflow == null) {
      over = true;
      reports.add(() -> sink.aborted(new IllegalStateException(why)));
    }
  }

  CapturedCookies cookies() {
    return cookies;
  }

  void restart() {
    synchronized (this) {
      round++;
      head = head.again();
      body = Buffer.buffer();
      bytes = 0;
      headWritten = false;
      ended = false;
      over = false;
      overflow = null;
    }
    cookies.takeBack();
  }

  /** Puts the captured head on the real response. */
  void writeHead(HttpServerResponse response, List<Header> extra) {
    synchronized (this) {
      response.setStatusCode(head.status());
      head.explicitMessage().ifPresent(response::setStatusMessage);
      Replay.setHead(response, headers, removed, extra);
    }
  }

  /** Completes the futures of the calls that ended an answer. */
  void sent(AsyncResult<Void> result) {
    List<Promise<Void>> waiting;
    synchronized (this) {
      waiting = List.copyOf(ends);
      ends.clear();
    }
    waiting.forEach(it -> it.handle(result));
  }

  private Future<Void> whenSent() {
    Promise<Void> sent = context.promise();
    ends.add(sent);
    return sent.future();
  }

  private void checkOpen() {
    if (ended) {
      throw new IllegalStateException(WRITTEN);
    }
  }

  private void checkHead() {
    if (headWritten) {
      throw new IllegalStateException("Response head already sent");
    }
  }
}
