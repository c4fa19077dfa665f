package dev.latchkey.web.impl;

import dev.latchkey.core.Operation;
import dev.latchkey.core.Terms;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.Problem;
import dev.latchkey.web.ProblemType;
import dev.latchkey.web.capture.CapturingResponse;
import dev.latchkey.web.fingerprint.FingerprintBuilder;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Reads what a request says about idempotency and hands it to the control flow. */
public final class IdempotencyHandlerImpl implements IdempotencyHandler {

  private static final CharSequence KEY_HEADER = HttpHeaders.createOptimized("Idempotency-Key");

  private final IdempotencyNodeImpl node;
  private final IdempotencyOptions options;
  private final Terms terms;
  private final ScopedKeys keys;

  /**
   * Makes a handler.
   *
   * @param node what the process shares
   * @param options of this handler
   */
  public IdempotencyHandlerImpl(IdempotencyNodeImpl node, IdempotencyOptions options) {
    if (options.getRetentionMillis() < options.getLeaseMillis()) {
      throw new IllegalArgumentException(
          "retention "
              + options.getRetentionMillis()
              + " ms is shorter than the lease "
              + options.getLeaseMillis()
              + " ms");
    }
    this.node = node;
    this.options = options;
    this.terms =
        new Terms(
            options.getLeaseMillis(),
            options.getRetentionMillis(),
            options.getRunLimitMillis(),
            options.isEffectsInStore(),
            options.getOnLostOwner());
    this.keys = new ScopedKeys(options.getScope());
    node.flow().expect(terms);
  }

  @Override
  public Handler<RoutingContext> keyNote() {
    return ctx -> {
      if (isProtected(ctx)) {
        if (read(ctx) instanceof IdempotencyKeySyntax.Key found) {
          note(ctx, found);
        }
        if (node.flow().isDraining()) {
          node.outcomes().follow(ctx);
        }
      }
      ctx.next();
    };
  }

  @Override
  public Handler<RoutingContext> keyCheck() {
    return ctx -> {
      if (!isProtected(ctx) || passes(ctx)) {
        ctx.next();
      }
    };
  }

  @Override
  public void handle(RoutingContext ctx) {
    if (!isProtected(ctx) || Claims.find(ctx).isPresent()) {
      ctx.next();
      return;
    }
    if (passes(ctx)) {
      KeyedRequest.find(ctx).ifPresentOrElse(found -> arrive(ctx, found), ctx::next);
    }
  }

  private boolean isProtected(RoutingContext ctx) {
    return options.getMethods().contains(ctx.request().method());
  }

  /** True with a well-formed key, or with none where it is optional; else it answers 400. */
  private boolean passes(RoutingContext ctx) {
    if (KeyedRequest.find(ctx).isPresent()) {
      node.outcomes().follow(ctx);
      return true;
    }
    IdempotencyKeySyntax.Result result = read(ctx);
    if (result instanceof IdempotencyKeySyntax.Missing && !options.isRequired()) {
      return true;
    }
    node.outcomes().follow(ctx);
    if (result instanceof IdempotencyKeySyntax.Key found) {
      note(ctx, found);
      return true;
    }
    if (result instanceof IdempotencyKeySyntax.Malformed malformed) {
      Problems.keyMalformed(malformed.detail()).send(ctx);
    } else {
      Problems.keyMissing().send(ctx);
    }
    return false;
  }

  private IdempotencyKeySyntax.Result read(RoutingContext ctx) {
    return IdempotencyKeySyntax.parse(options.getKeySource().find(ctx));
  }

  private void note(RoutingContext ctx, IdempotencyKeySyntax.Key found) {
    // Past the proxy, which would only pass it on by reflection.
    CapturingResponse.of(ctx)
        .filter(it -> !it.isCapturing())
        .map(CapturingResponse::real)
        .orElseGet(ctx::response)
        .putHeader(KEY_HEADER, found.structured());
    new KeyedRequest(found.key(), options.getResponsePolicy(), options.getStatusUrlPrefix())
        .put(ctx);
  }

  private void arrive(RoutingContext ctx, KeyedRequest keyed) {
    Optional<CapturingResponse> response = CapturingResponse.of(ctx);
    if (response.isEmpty()) {
      ctx.fail(
          new IllegalStateException(
              "before the outermost router, or as its first route, there must be"
                  + " IdempotencyNode.capture"));
      return;
    }
    response.get().routedBy(ctx);
    if (!ctx.body().available() && !ctx.request().isEnded()) {
      ctx.fail(
          new IllegalStateException(
              "the body must be read before the IdempotencyHandler, by a BodyHandler for example"));
      return;
    }
    ScopedKey key = keys.of(ctx, keyed);
    Buffer body = ctx.body().buffer() == null ? Buffer.buffer() : ctx.body().buffer();
    FingerprintBuilder.Result result = fingerprint(ctx, body);
    if (result instanceof FingerprintBuilder.Malformed malformed) {
      malformed(malformed).send(ctx);
      return;
    }
    FingerprintBuilder.Fingerprinted sound = (FingerprintBuilder.Fingerprinted) result;
    Operation operation = new Operation(key, sound.fingerprint(), sound.outline(), terms);
    PreferWait wait = PreferWait.of(ctx.request().headers(), options);
    node.outcomes().arrived(ctx);
    // Whichever thread passed the request on, it lives on its own context.
    ContextInternal context = ((HttpServerRequestInternal) ctx.request()).context();
    KeyedCall call =
        new KeyedCall(
            node.outcomes(), options, ctx, response.get(), operation, wait, body, context);
    context.emit(ignored -> node.flow().arrive(node.lot(context), call));
  }

  private FingerprintBuilder.Result fingerprint(RoutingContext ctx, Buffer body) {
    HttpServerRequest request = ctx.request();
    String query = request.query();
    String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return FingerprintBuilder.build(
        request.method().name(),
        withoutTrailingSlash(ctx.normalizedPath()),
        query == null ? "" : query,
        contentType == null ? "" : contentType,
        body.getBytes(),
        options.getMaxJsonDepth());
  }

  /** A route takes its path with and without a slash at the end: the request is the same. */
  private static String withoutTrailingSlash(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }

  private static Problem malformed(FingerprintBuilder.Malformed malformed) {
    return Problem.of(400, ProblemType.INVALID_REQUEST, malformed.detail())
        .with(
            "errors",
            new JsonArray()
                .add(
                    new JsonObject()
                        .put("pointer", malformed.pointer())
                        .put("detail", malformed.detail())));
  }
}
