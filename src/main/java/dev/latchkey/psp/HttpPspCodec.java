package dev.latchkey.psp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.latchkey.net.BoundedExchange;
import dev.latchkey.psp.PspResult.Approved;
import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.PspCharge;
import dev.latchkey.psp.PspResult.PspRefund;
import dev.latchkey.psp.PspResult.Refused;
import dev.latchkey.psp.PspResult.Rejected;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.psp.PspTransport.Outcome;
import dev.latchkey.psp.PspTransport.Outcome.Lost;
import dev.latchkey.psp.PspTransport.Outcome.Responded;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts calls to HTTP requests and HTTP responses to results. */
final class HttpPspCodec {
  /** Ids that every ledger can store and index, and that are safe in a path and a log line. */
  private static final Pattern ID = Pattern.compile("[!-~]{1,255}");

  private static final int MAX_TEXT_CHARACTERS = 500;

  private static final JsonMapper MAPPER =
      PspJson.strict().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private HttpPspCodec() {}

  static String path(PspCall call) {
    if (call instanceof PspCall.OnCharge on) {
      String id = URLEncoder.encode(on.charge(), StandardCharsets.UTF_8).replace("+", "%20");
      return "/charges/" + id + "/" + on.operation();
    }
    return "/charges";
  }

  static Buffer body(PspCall call) {
    JsonObject json = new JsonObject();
    if (call instanceof PspCall.Charge charge) {
      json.put("amount", charge.amount())
          .put("currency", charge.currency())
          .put("payment_method", charge.paymentMethod())
          .put("capture", charge.capture());
    }
    if (call instanceof PspCall.OnCharge on && on.amount() != null) {
      json.put("amount", on.amount());
    }
    return json.toBuffer();
  }

  static Outcome outcome(PspCall call, BoundedExchange.Outcome exchange) {
    if (exchange instanceof BoundedExchange.Outcome.Response response) {
      return outcome(call, response.status(), response.body());
    }
    return exchange instanceof BoundedExchange.Outcome.NotSent notSent
        ? new Outcome.NotSent(notSent.reason())
        : new Lost(((BoundedExchange.Outcome.Lost) exchange).reason());
  }

  static Outcome outcome(PspCall call, int status, Buffer body) {
    if (status == 200 || status == 201) {
      return approved(body);
    }
    JsonNode problem = object(body);
    Optional<String> detail = text(problem, "detail");
    return new Responded(failure(call, status, detail, text(problem, "decline_code")));
  }

  /** A charge has no state yet: its 409 means that an earlier send under its key is running. */
  private static boolean isRetryable(PspCall call, int status) {
    return status == 429 || status >= 500 || (status == 409 && call instanceof PspCall.Charge);
  }

  /**
   * A charge is never refused for its state, and a 404 without a detail may come from a proxy. If
   * these were final, money could have moved without a payment.
   */
  private static PspResult failure(
      PspCall call, int status, Optional<String> detail, Optional<String> declineCode) {
    String text = detail.orElse("status " + status);
    if (status == 402 && declineCode.isPresent()) {
      return new Declined(declineCode.get());
    }
    if (isRetryable(call, status)) {
      return new Unavailable("the PSP responded " + status + ": " + text);
    }
    boolean refused = status == 409 || (status == 404 && detail.isPresent());
    return refused && !(call instanceof PspCall.Charge)
        ? new Refused(text)
        : new Rejected(status, text);
  }

  /** An approval that cannot be read counts as lost, because the charge may exist. */
  private static Outcome approved(Buffer body) {
    try {
      JsonNode json = object(body);
      PspCharge charge = MAPPER.treeToValue(json, PspCharge.class);
      Optional<PspRefund> refund = Optional.empty();
      if (json.hasNonNull("refund")) {
        refund = Optional.of(MAPPER.treeToValue(json.get("refund"), PspRefund.class));
      }
      boolean valid =
          isId(charge.id())
              && isId(charge.currency())
              && isId(charge.status())
              && json.has("amount")
              && json.has("captured_amount")
              && json.has("refunded_amount")
              && refund.map(it -> isId(it.id()) && json.get("refund").has("amount")).orElse(true);
      return valid
          ? new Responded(new Approved(charge, refund))
          : new Lost("the response is not a charge");
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return new Lost("the response is not a charge");
    }
  }

  private static boolean isId(@Nullable String id) {
    return id != null && ID.matcher(id).matches();
  }

  private static Optional<String> text(JsonNode json, String name) {
    return Optional.ofNullable(json.path(name).textValue())
        .map(HttpPspCodec::oneLine)
        .filter(text -> !text.isEmpty());
  }

  /** Bounds the text and removes characters that control a terminal, because it is logged. */
  private static String oneLine(String text) {
    return text.codePoints()
        .limit(MAX_TEXT_CHARACTERS)
        .filter(HttpPspCodec::isVisible)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString()
        .strip();
  }

  private static boolean isVisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static JsonNode object(Buffer body) {
    try {
      return MAPPER.readTree(body.getBytes());
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }
}
