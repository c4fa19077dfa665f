package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a downstream handler calls while it is captured: a response of its own that obeys the rules
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

  private final CapturingResponse owner;
  private final ContextInternal context;
  private final CapturedCookies cookies;
  private final Reports reports;
  private final Draft draft;
  private final WriteCalls writes;

  Recorder(CapturingResponse owner, HttpServerRequestInternal request, int maxBytes, Sink sink) {
    this.owner = owner;
    context = request.context();
    cookies = new CapturedCookies(owner.real());
    reports = new Reports(this, context);
    draft = new Draft(owner, request);
    writes = new WriteCalls(owner, this, draft, request, maxBytes, sink, reports);
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
      case "getStatusCode" -> draft.head().status();
      case "getStatusMessage" -> draft.head().message();
      case "isChunked" -> draft.head().isChunked();
      case "headers" -> draft.head().headers;
      case "trailers" -> draft.head().trailers;
      case "ended" -> draft.isEnded();
      case "closed" -> false;
      case "headWritten" -> draft.isHeadWritten();
      case "bytesWritten" -> draft.bytes();
      case "writeQueueFull" -> writes.isFull();
      case "setStatusCode", "setStatusMessage", "setChunked", "putHeader", "putTrailer" ->
          change(method, args);
      case "addCookie", "removeCookie", "removeCookies" -> cookie(method, args);
      case "writeHead" -> writes.write(Optional.empty());
      case "write" -> writes.write(Optional.of(Arguments.chunk(args)));
      case "end" ->
          writes.end(args.length == 0 ? Optional.empty() : Optional.of(Arguments.chunk(args)));
      case "sendFile" -> writes.sendFile(args);
      case "exceptionHandler", "drainHandler", "closeHandler", "endHandler" -> hold(method, args);
      case "reset" -> writes.reset(args);
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
      writes.guard(false);
      draft.checkOpen();
      Arguments.put(draft.head().trailers, args);
      return this;
    }
    writes.guard(method.equals("setStatusCode"));
    if (draft.isOver()) {
      return this;
    }
    draft.checkHead();
    Head head = draft.head();
    switch (method) {
      case "setStatusCode" -> head.setStatus((Integer) Objects.requireNonNull(args[0]));
      case "setStatusMessage" -> head.setMessage((String) Objects.requireNonNull(args[0]));
      case "setChunked" -> head.setChunked((Boolean) Objects.requireNonNull(args[0]));
      default -> Arguments.put(head.headers, args);
    }
    return this;
  }

  private @Nullable Object cookie(String method, @Nullable Object[] args) {
    writes.guard(false);
    boolean isOver = draft.isOver();
    if (!isOver) {
      draft.checkHead();
    }
    Object result = isOver ? CapturedCookies.none(method) : cookies.call(method, args);
    return method.equals("addCookie") ? this : result;
  }

  private Recorder hold(String method, @Nullable Object[] args) {
    if (args[0] != null) {
      draft.checkOpen();
    }
    owner.held().hold(method, args[0]);
    return this;
  }

  <T> Future<T> refuse(String what) {
    String why = what + " is not possible where the answer is captured";
    synchronized (this) {
      if (!draft.isEnded()) {
        writes.abort(why);
      }
    }
    reports.tell();
    return context.failedFuture(new IllegalStateException(why));
  }

  CapturedCookies cookies() {
    return cookies;
  }

  void restart() {
    synchronized (this) {
      writes.restart();
    }
    cookies.takeBack();
  }

  /** Puts the captured head on the real response. */
  synchronized void writeHead(HttpServerResponse response, List<Header> extra) {
    draft.writeHead(response, extra);
  }

  /** Completes the futures of the calls that ended an answer. */
  void sent(AsyncResult<Void> result) {
    List<Promise<Void>> waiting;
    synchronized (this) {
      waiting = writes.takeEnds();
    }
    waiting.forEach(it -> it.handle(result));
  }
}
