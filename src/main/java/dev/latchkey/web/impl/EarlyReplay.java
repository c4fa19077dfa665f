package dev.latchkey.web.impl;

import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.SentRequest;
import dev.latchkey.core.Verdict;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.capture.CapturingResponse;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers a retry that is sent as one before it was, byte for byte, when that one was found sound
 * and got the stored answer from this node. Whatever this cannot answer goes on like any other
 * request. Safe for use by any thread.
 */
final class EarlyReplay implements Handler<RoutingContext> {

  private static final String LOOKED = "dev.latchkey.web.looked";

  private final IdempotencyNodeImpl node;
  private final IdempotencyOptions options;
  private final ScopedKeys keys;

  EarlyReplay(IdempotencyNodeImpl node, IdempotencyOptions options, ScopedKeys keys) {
    this.node = node;
    this.options = options;
    this.keys = keys;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Optional<KeyedRequest> keyed = KeyedRequest.find(ctx);
    boolean mayAnswer =
        keyed.isPresent()
            && options.getMethods().contains(ctx.request().method())
            && Claims.find(ctx).isEmpty();
    if (mayAnswer) {
      Optional<CapturingResponse> response = CapturingResponse.of(ctx);
      if (response.isPresent() && answers(ctx, response.get(), keys.of(ctx, keyed.get()))) {
        return;
      }
      ctx.put(LOOKED, this);
    }
    ctx.next();
  }

  /** Whether this has looked at the request before and could not answer it. */
  boolean hasLooked(RoutingContext ctx) {
    return ctx.get(LOOKED) == this;
  }

  /** Answers the request if it can. */
  boolean answers(RoutingContext ctx, CapturingResponse response, ScopedKey key) {
    HttpServerRequest request = ctx.request();
    boolean read = ctx.body().available() || request.isEnded();
    if (!read || !((HttpServerRequestInternal) request).context().inThread()) {
      return false;
    }
    Optional<Verdict.Replay> known = node.flow().recall(key, () -> sent(this, request, body(ctx)));
    if (known.isEmpty() || response.real().ended()) {
      return false;
    }
    node.outcomes().arrived(ctx);
    node.outcomes().answered(Outcome.REPLAYED);
    Verdict.Replay replay = known.get();
    PreferWait wait = PreferWait.of(request.headers(), options);
    response.replay(replay.response(), MomentHeaders.ofReplay(wait, replay.expiry()));
    return true;
  }

  /** How a request was sent, for the one that comes in the same way. */
  Optional<SentRequest> sent(RoutingContext ctx, Buffer body) {
    return sent(this, ctx.request(), body);
  }

  private static Optional<SentRequest> sent(
      EarlyReplay handler, HttpServerRequest request, Buffer body) {
    MultiMap headers = request.headers();
    List<String> types = headers.getAll(HttpHeaders.CONTENT_TYPE);
    List<String> codings = headers.getAll(HttpHeaders.CONTENT_ENCODING);
    if (types.size() > 1 || codings.size() > 1) {
      return Optional.empty();
    }
    List<@Nullable String> parts =
        Arrays.asList(request.method().name(), request.uri(), first(types), first(codings));
    return SentRequest.of(handler, body, parts);
  }

  private static @Nullable String first(List<String> values) {
    return values.isEmpty() ? null : values.get(0);
  }

  private static Buffer body(RoutingContext ctx) {
    Buffer body = ctx.body().buffer();
    return body == null ? Buffer.buffer() : body;
  }
}
