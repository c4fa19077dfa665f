package dev.latchkey.payments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.json.StrictJson;
import dev.latchkey.web.HeldRequests;
import dev.latchkey.web.JsonBody;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Rejects a request with an invalid media type, JSON or member before its key is claimed, and puts
 * the command of a valid request into the context. The body must have been read.
 */
final class RequestValidation<C extends Command> implements Handler<RoutingContext> {

  private static final String COMMAND = "dev.latchkey.payments.command";
  private static final String VALIDATION = "dev.latchkey.payments.validation";

  private final boolean bodyRequired;
  private final BiFunction<RoutingContext, JsonNode, C> schema;

  /**
   * Validates one kind of request.
   *
   * @param bodyRequired false if no body means an empty object
   * @param schema reads the command from path and body; throws {@link InvalidRequestException}
   */
  RequestValidation(boolean bodyRequired, BiFunction<RoutingContext, JsonNode, C> schema) {
    this.bodyRequired = bodyRequired;
    this.schema = schema;
  }

  /** Returns the command of a valid request. */
  static <C extends Command> C command(RoutingContext ctx, Class<C> type) {
    Command command = ctx.get(COMMAND);
    if (command == null) { // dropped while the request was parked
      RequestValidation<?> validation = Objects.requireNonNull(ctx.get(VALIDATION), "validation");
      command = validation.command(ctx);
    }
    return type.cast(command);
  }

  @Override
  public void handle(RoutingContext ctx) {
    Buffer body = ctx.body().buffer();
    boolean empty = body == null || body.length() == 0;
    if (!empty && !isPlainJson(ctx)) {
      PaymentProblems.unsupportedMediaType().send(ctx);
      return;
    }
    ctx.put(COMMAND, command(ctx));
    ctx.put(VALIDATION, this);
    JsonBody.onDropped(ctx, () -> drop(ctx));
    ctx.next();
  }

  private C command(RoutingContext ctx) {
    Buffer body = ctx.body().buffer();
    boolean empty = body == null || body.length() == 0;
    return schema.apply(
        ctx, empty && !bodyRequired ? JsonNodeFactory.instance.objectNode() : parse(ctx));
  }

  /** An equal body is kept elsewhere, from which the command can be read again. */
  private static void drop(RoutingContext ctx) {
    ctx.remove(COMMAND);
    HeldRequests.dropBody(ctx);
  }

  private static JsonNode parse(RoutingContext ctx) {
    try {
      return JsonBody.parse(ctx, StrictJson.DEFAULT_MAX_DEPTH);
    } catch (MalformedJsonException e) {
      throw new InvalidRequestException(List.of(new FieldError(e.pointer(), e.detail())));
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
