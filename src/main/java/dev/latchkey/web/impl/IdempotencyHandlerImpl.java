package dev.latchkey.web.impl;

import dev.latchkey.core.ClaimPolicy;
import dev.latchkey.core.Operation;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.JsonBody;
import dev.latchkey.web.KeyScope;
import dev.latchkey.web.Problem;
import dev.latchkey.web.capture.CapturingResponse;
import dev.latchkey.web.fingerprint.FingerprintBuilder;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.SecurityPolicyHandler;

/** Reads a request's key, body and preferences, and passes the request to the engine. */
public final class IdempotencyHandlerImpl implements IdempotencyHandler {

  private static final CharSequence KEY_HEADER = HttpHeaders.createOptimized("Idempotency-Key");

  private final IdempotencyNodeImpl node;
  private final IdempotencyOptions options;
  private final ClaimPolicy policy;
  private final ScopedKeys keys;

  /**
   * Creates a handler.
   *
   * @param node shared by the handlers of the process
   * @param options of this handler, not changed afterwards
   * @throws IllegalArgumentException if the options have no scope, or a retention shorter than the
   *     lease
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
    this.policy =
        new ClaimPolicy(
            options.getLeaseMillis(),
            options.getRetentionMillis(),
            options.getRunLimitMillis(),
            options.isEffectsInStore(),
            options.getOnLostOwner());
    this.keys = new ScopedKeys(scope(options));
    node.engine().registerPolicy(policy);
  }

  private static KeyScope scope(IdempotencyOptions options) {
    return options
        .getScope()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "IdempotencyOptions has no scope. Identify the caller with setScope, or call"
                        + " singleTenant() if the application has a single caller."));
  }

  @Override
  public Handler<RoutingContext> keyNote() {
    return (SecurityPolicyHandler)
        ctx -> {
          if (isProtected(ctx)) {
            if (read(ctx) instanceof IdempotencyKeySyntax.Key key) {
              note(ctx, key);
            }
            if (node.engine().isDraining()) {
              node.outcomes().follow(ctx);
            }
          }
          ctx.next();
        };
  }

  @Override
  public Handler<RoutingContext> keyCheck() {
    return (SecurityPolicyHandler)
        ctx -> {
          if (!isProtected(ctx) || checkKey(ctx)) {
            ctx.next();
          }
        };
  }

  @Override
  public void handle(RoutingContext ctx) {
    if (!isProtected(ctx) || IdempotencyImpl.find(ctx).isPresent()) {
      ctx.next();
      return;
    }
    if (checkKey(ctx)) {
      KeyedRequest.find(ctx).ifPresentOrElse(keyed -> arrive(ctx, keyed), ctx::next);
    }
  }

  private boolean isProtected(RoutingContext ctx) {
    return options.getMethods().contains(ctx.request().method());
  }

  /** Returns true for a well-formed key, or for none if it is optional. Else responds with 400. */
  private boolean checkKey(RoutingContext ctx) {
    if (KeyedRequest.find(ctx).isPresent()) {
      node.outcomes().follow(ctx);
      return true;
    }
    IdempotencyKeySyntax.Result result = read(ctx);
    if (result instanceof IdempotencyKeySyntax.Missing && !options.isRequired()) {
      return true;
    }
    node.outcomes().follow(ctx);
    if (result instanceof IdempotencyKeySyntax.Key key) {
      note(ctx, key);
      return true;
    }
    if (result instanceof IdempotencyKeySyntax.Missing) {
      node.outcomes().keyMissing();
    }
    Problem problem =
        result instanceof IdempotencyKeySyntax.Malformed malformed
            ? Problems.keyMalformed(malformed.detail())
            : Problems.keyMissing();
    problem.baseUri(options.getProblemBaseUri()).send(ctx);
    return false;
  }

  private IdempotencyKeySyntax.Result read(RoutingContext ctx) {
    return IdempotencyKeySyntax.parse(options.getKeySource().find(ctx));
  }

  private void note(RoutingContext ctx, IdempotencyKeySyntax.Key key) {
    // On the real response: the proxy would call it by reflection.
    CapturingResponse.of(ctx)
        .filter(it -> !it.isCapturing())
        .map(CapturingResponse::real)
        .orElseGet(ctx::response)
        .putHeader(KEY_HEADER, key.structured());
    new KeyedRequest(key.key(), options).put(ctx);
  }

  private void arrive(RoutingContext ctx, KeyedRequest keyed) {
    CapturingResponse response =
        CapturingResponse.of(ctx)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "IdempotencyNode.capture must be in front of the outermost router, or its"
                            + " first route"));
    response.routedBy(ctx);
    if (RequestBody.isMultipart(ctx.request())) {
      Problems.multipart().send(ctx);
      return;
    }
    Buffer body = RequestBody.of(ctx);
    Fingerprint fingerprint;
    try {
      fingerprint = fingerprint(ctx, body);
    } catch (MalformedJsonException malformed) {
      Problems.malformedBody(malformed).send(ctx);
      return;
    }
    JsonBody.discard(ctx);
    Operation operation = new Operation(keys.of(ctx, keyed), fingerprint, policy);
    PreferWait wait = PreferWait.of(ctx.request().headers(), options);
    node.outcomes().arrived(ctx);
    // An earlier handler may have passed the request on from another thread.
    ContextInternal context = ((HttpServerRequestInternal) ctx.request()).context();
    HttpCaller caller =
        new HttpCaller(node.outcomes(), options, ctx, response, operation, wait, body, context);
    context.emit(ignored -> node.engine().arrive(node.parkingLot(context), caller));
  }

  private Fingerprint fingerprint(RoutingContext ctx, Buffer body) throws MalformedJsonException {
    HttpServerRequest request = ctx.request();
    String query = request.query();
    String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
    FingerprintBuilder builder =
        new FingerprintBuilder(
                request.method().name(),
                RouteTemplate.requestPath(ctx),
                query == null ? "" : query,
                contentType == null ? "" : contentType)
            .ifMatch(String.join(",", request.headers().getAll(HttpHeaders.IF_MATCH)));
    return body.length() > 0 && builder.isJson()
        ? builder.withJson(JsonBody.parse(ctx, options.getMaxJsonDepth()))
        : builder.withBytes(body.getBytes());
  }
}
