package dev.latchkey.web.impl;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.web.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A handler's work inside the completing transaction. Its reply is written to the captured response
 * like any answer, and what was captured is what the transaction stores. Its state is confined to
 * the request's context.
 */
final class TransactionRun<C> implements TransactionWork<C> {

  private final ContextInternal context;
  private final HttpServerResponse response;
  private final Class<C> connectionType;
  private final Function<C, Future<Reply>> work;
  private final Runnable beforeAnotherRun;
  private @Nullable Promise<Optional<StoredResponse>> open;
  private @Nullable Throwable failure;
  private boolean ran;

  TransactionRun(
      ContextInternal context,
      HttpServerResponse response,
      Class<C> connectionType,
      Function<C, Future<Reply>> work,
      Runnable beforeAnotherRun) {
    this.context = context;
    this.response = response;
    this.connectionType = connectionType;
    this.work = work;
    this.beforeAnotherRun = beforeAnotherRun;
  }

  @Override
  public Class<C> connectionType() {
    return connectionType;
  }

  @Override
  public Future<Optional<StoredResponse>> run(C connection) {
    Promise<Optional<StoredResponse>> made = Promise.promise();
    context.runOnContext(
        ignored -> {
          if (ran) {
            beforeAnotherRun.run();
          }
          ran = true;
          failure = null;
          open = made;
          Future<Reply> reply;
          try {
            reply = work.apply(connection);
          } catch (RuntimeException | Error thrown) {
            reply = Future.failedFuture(thrown);
          }
          reply.onComplete(
              it -> context.runOnContext(v -> write(it, made)),
              why -> context.runOnContext(v -> failed(why, made)));
        });
    return made.future();
  }

  private void write(Reply reply, Promise<Optional<StoredResponse>> of) {
    if (open != of) {
      return;
    }
    try {
      response.setStatusCode(reply.status());
      reply.headers().forEach(header -> response.headers().add(header.name(), header.value()));
      response.end(reply.body());
    } catch (RuntimeException refused) {
      failed(refused, of);
    }
  }

  private void failed(Throwable why, Promise<Optional<StoredResponse>> of) {
    if (open == of) {
      failure = why;
      answered(Optional.empty());
    }
  }

  /** Whether an answer that is captured now is that of the transaction. */
  boolean isOpen() {
    return open != null;
  }

  /** The answer was captured; an empty one rolls everything back. */
  void answered(Optional<StoredResponse> stored) {
    Promise<Optional<StoredResponse>> of = open;
    open = null;
    if (of != null) {
      of.complete(stored);
    }
  }

  /** Why the latest run gave no answer at all. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
