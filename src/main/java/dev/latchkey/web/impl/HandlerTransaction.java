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
 * A handler's work inside the completing transaction. Its reply is written to the captured
 * response, and the transaction stores what was captured. Confined to the request's context.
 */
final class HandlerTransaction<C> implements TransactionWork<C> {

  private final ContextInternal context;
  private final HttpServerResponse response;
  private final Class<C> connectionType;
  private final Function<C, Future<Reply>> work;
  private final Runnable beforeRetry;
  private @Nullable Promise<Optional<StoredResponse>> open;
  private @Nullable Throwable failure;
  private boolean ran;

  HandlerTransaction(
      ContextInternal context,
      HttpServerResponse response,
      Class<C> connectionType,
      Function<C, Future<Reply>> work,
      Runnable beforeRetry) {
    this.context = context;
    this.response = response;
    this.connectionType = connectionType;
    this.work = work;
    this.beforeRetry = beforeRetry;
  }

  @Override
  public Class<C> connectionType() {
    return connectionType;
  }

  @Override
  public Future<Optional<StoredResponse>> run(C connection) {
    Promise<Optional<StoredResponse>> result = Promise.promise();
    context.runOnContext(
        ignored -> {
          if (ran) {
            beforeRetry.run();
          }
          ran = true;
          failure = null;
          open = result;
          Future<Reply> reply;
          try {
            reply = work.apply(connection);
          } catch (RuntimeException | Error thrown) {
            reply = Future.failedFuture(thrown);
          }
          reply.onComplete(
              it -> context.runOnContext(v -> write(it, result)),
              why -> context.runOnContext(v -> fail(why, result)));
        });
    return result.future();
  }

  private void write(Reply reply, Promise<Optional<StoredResponse>> of) {
    if (open != of) {
      return;
    }
    try {
      response.setStatusCode(reply.status());
      reply.headers().forEach(header -> response.headers().add(header.name(), header.value()));
      response.end(reply.body());
    } catch (RuntimeException thrown) {
      fail(thrown, of);
    }
  }

  private void fail(Throwable why, Promise<Optional<StoredResponse>> of) {
    if (open == of) {
      failure = why;
      responded(Optional.empty());
    }
  }

  /** Returns whether a response captured now is that of the transaction. */
  boolean isOpen() {
    return open != null;
  }

  /** Ends the work with the captured response, or with none to roll everything back. */
  void responded(Optional<StoredResponse> stored) {
    Promise<Optional<StoredResponse>> of = open;
    open = null;
    if (of != null) {
      of.complete(stored);
    }
  }

  /** Returns why the latest execution has no response. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
