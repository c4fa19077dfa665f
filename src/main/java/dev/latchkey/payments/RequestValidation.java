package dev.latchkey.payments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.json.StrictJson;
import dev.latchkey.web.JsonBody;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Refuses a request whose media type, JSON or members are not sound, before its key is claimed;
 * puts what a sound one asks for into the context. The body must have been read.
 */
final class RequestValidation<C extends Command> implements Handler<RoutingContext> {

  private static final String COMMAND = "dev.latchkey.payments.command";

  private final boolean bodyRequired;
  private final BiFunction<RoutingContext, JsonNode, Checked<C>> schema;

  /**
   * Validates one kind of request.
   *
   * @param bodyRequired false when no body means an empty object
   * @param schema reads the command from path and body
   */
  RequestValidation(boolean bodyRequired, BiFunction<RoutingContext, JsonNode, Checked<C>> schema) {
    this.bodyRequired = bodyRequired;
    this.schema = schema;
  }

  /** What a sound request asks for. */
  static <C extends Command> C command(RoutingContext ctx, Class<C> type) {
    return type.cast(Objects.requireNonNull(ctx.<Command>get(COMMAND), "command"));
  }

  @Override
  public void handle(RoutingContext ctx) {
    Buffer body = ctx.body().buffer();
    boolean empty = body == null || body.length() == 0;
    if (!empty && !isPlainJson(ctx)) {
      PaymentProblems.unsupportedMediaType().send(ctx);
      return;
    }
    JsonNode json;
    try {
      json =
          empty && !bodyRequired
              ? JsonNodeFactory.instance.objectNode()
              : JsonBody.parse(ctx, StrictJson.DEFAULT_MAX_DEPTH);
    } catch (MalformedJsonException e) {
      FieldError error = new FieldError(e.pointer(), e.detail());
      PaymentProblems.invalidRequest(List.of(error)).send(ctx);
      return;
    }
    Checked<C> checked = schema.apply(ctx, json);
    if (checked instanceof Checked.Invalid<C> invalid) {
      PaymentProblems.invalidRequest(invalid.errors()).send(ctx);
    } else if (checked instanceof Checked.Valid<C> sound) {
      ctx.put(COMMAND, sound.value());
      ctx.next();
    }
  }

  private static boolean isPlainJson(RoutingContext ctx) {
    String coding = ctx.request().getHeader(HttpHeaders.CONTENT_ENCODING);
    String type = ctx.request().getHeader(HttpHeaders.CONTENT_TYPE);
    return (coding == null || coding.equalsIgnoreCase("identity"))
        && type != null
        && MediaType.isJson(type);
  }
}
