package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response that a downstream handler sees while it is captured. It obeys the rules of the real
 * one; for example, nothing follows its end. Its state is guarded by its monitor; the listener is
 * called without it, on the request's context.
 */
final class ResponseRecorder {

  /** Methods that always go to the real response: interim responses, properties of the stream. */
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
  private final PendingCookies cookies;
  private final Deque<Runnable> reports = new ArrayDeque<>(2);
  private final PendingResponse pending;
  private final ResponseWriter writer;

  ResponseRecorder(
      CapturingResponse owner,
      HttpServerRequestInternal request,
      int maxBytes,
      CaptureListener listener) {
    this.owner = owner;
    context = request.context();
    cookies = new PendingCookies(request);
    pending = new PendingResponse(owner, request);
    writer = new ResponseWriter(owner, this, pending, request, maxBytes, listener);
  }

  /** Executes a call of the handler. Returns this recorder where the method is fluent. */
  @Nullable Object call(String method, @Nullable Object[] args) {
    try {
      synchronized (this) {
        return record(method, args);
      }
    } finally {
      runReports();
    }
  }

  /** Adds a call of the listener. Requires the lock. */
  void report(Runnable call) {
    reports.add(call);
  }

  /** Runs the calls of the listener. Does nothing if an outer call on this thread has the lock. */
  void runReports() {
    while (!Thread.holdsLock(this)) {
      Runnable next;
      synchronized (this) {
        next = reports.poll();
      }
      if (next == null) {
        return;
      }
      context.emit(v -> next.run());
    }
  }

  private @Nullable Object record(String method, @Nullable Object[] args) {
    return switch (method) {
      case "getStatusCode" -> pending.head.status();
      case "getStatusMessage" -> pending.head.message();
      case "isChunked" -> pending.head.isChunked();
      case "headers" -> pending.head.headers;
      case "trailers" -> pending.head.trailers;
      case "ended" -> pending.ended;
      case "closed" -> false;
      case "headWritten" -> pending.headWritten;
      case "bytesWritten" -> pending.bytes;
      case "writeQueueFull" -> writer.isFull();
      case "setStatusCode", "setStatusMessage", "setChunked", "putHeader", "putTrailer" ->
          change(method, args);
      case "addCookie", "removeCookie", "removeCookies" -> cookie(method, args);
      case "writeHead" -> writer.write(Optional.empty());
      case "write" -> writer.write(Optional.of(chunk(args)));
      case "end" -> writer.end(args.length == 0 ? Optional.empty() : Optional.of(chunk(args)));
      case "sendFile" -> writer.sendFile(args);
      case "exceptionHandler", "drainHandler", "closeHandler", "endHandler" -> defer(method, args);
      case "reset" -> writer.reset(args);
      case "push", "writeCustomFrame" ->
          context.failedFuture(method + " is not possible while the response is captured");
      // A later Vert.x may add methods. Passed on, they could send a response that is not stored.
      default ->
          throw new IllegalStateException(
              method + " is not supported while the response is captured; nothing was sent");
    };
  }

  private ResponseRecorder change(String method, @Nullable Object[] args) {
    if (method.equals("putTrailer")) {
      writer.guard(false);
      pending.checkOpen();
      put(pending.head.trailers, args);
      return this;
    }
    writer.guard(method.equals("setStatusCode"));
    if (pending.over) {
      return this;
    }
    pending.checkHead();
    PendingHead head = pending.head;
    switch (method) {
      case "setStatusCode" -> head.setStatus((Integer) Objects.requireNonNull(args[0]));
      case "setStatusMessage" -> head.setMessage((String) Objects.requireNonNull(args[0]));
      case "setChunked" -> head.setChunked((Boolean) Objects.requireNonNull(args[0]));
      default -> put(head.headers, args);
    }
    return this;
  }

  private @Nullable Object cookie(String method, @Nullable Object[] args) {
    writer.guard(false);
    boolean isOver = pending.over;
    if (!isOver) {
      pending.checkHead();
    }
    Object result = isOver ? PendingCookies.none(method) : cookies.call(method, args);
    return method.equals("addCookie") ? this : result;
  }

  private ResponseRecorder defer(String method, @Nullable Object[] args) {
    if (args[0] != null) {
      pending.checkOpen();
    }
    owner.deferred().set(method, args[0]);
    return this;
  }

  <T> Future<T> refuse(String what) {
    String why = what + " is not possible while the response is captured";
    synchronized (this) {
      if (!pending.ended) {
        writer.abort(why);
      }
    }
    runReports();
    return context.failedFuture(new IllegalStateException(why));
  }

  /** Returns whether the discarded response may still be written to. */
  synchronized boolean restart() {
    boolean open = pending.headWritten && !pending.ended;
    writer.restart();
    cookies.clear();
    return open;
  }

  /** Copies the captured head to the real response. */
  synchronized void writeHead(HttpServerResponse response, List<Header> extra) {
    cookies.apply(response);
    pending.writeHead(response, extra);
  }

  synchronized void applyCookies(HttpServerResponse response) {
    cookies.apply(response);
  }

  /** Completes the futures of the calls that ended a response. */
  void sent(AsyncResult<Void> result) {
    List<Promise<Void>> waiting;
    synchronized (this) {
      waiting = writer.takeEnds();
    }
    waiting.forEach(it -> it.handle(result));
  }

  /** The bytes of {@code write} and {@code end}: a buffer, a text, or a text and its charset. */
  private static Buffer chunk(@Nullable Object[] args) {
    Object chunk = Objects.requireNonNull(args[0], "chunk");
    if (chunk instanceof Buffer buffer) {
      return buffer;
    }
    return args.length == 1
        ? Buffer.buffer((String) chunk)
        : Buffer.buffer((String) chunk, (String) Objects.requireNonNull(args[1], "encoding"));
  }

  private static void put(MultiMap map, @Nullable Object[] args) {
    CharSequence name = (CharSequence) Objects.requireNonNull(args[0], "name");
    Object value = args[1];
    if (value == null) {
      map.remove(name);
    } else if (value instanceof CharSequence one) {
      map.set(name, one);
    } else {
      @SuppressWarnings("unchecked") // the other overloads take nothing else
      Iterable<CharSequence> several = (Iterable<CharSequence>) value;
      map.set(name, several);
    }
  }
}
