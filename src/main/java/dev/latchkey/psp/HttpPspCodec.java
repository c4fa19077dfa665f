package dev.latchkey.psp;

import dev.latchkey.psp.PspResult.Approved;
import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.PspCharge;
import dev.latchkey.psp.PspResult.PspRefund;
import dev.latchkey.psp.PspResult.Refused;
import dev.latchkey.psp.PspResult.Rejected;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.psp.PspTransport.Attempt;
import dev.latchkey.psp.PspTransport.Attempt.Answered;
import dev.latchkey.psp.PspTransport.Attempt.Lost;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Calls and answers as they travel between the gateway and the PSP. */
final class HttpPspCodec {
  private static final Pattern BARE = Pattern.compile("[A-Za-z0-9._~:/+=*-]+");

  /** What every ledger can hold and index, and a path and a log line can show. */
  private static final Pattern ID = Pattern.compile("[!-~]{1,255}");

  private HttpPspCodec() {}

  static String path(URI base, PspCall call) {
    String prefix = Optional.ofNullable(base.getRawPath()).orElse("").replaceAll("/+$", "");
    return prefix + "/charges" + operation(call);
  }

  private static String operation(PspCall call) {
    if (call instanceof PspCall.Capture capture) {
      return "/" + encoded(capture.charge()) + "/capture";
    }
    if (call instanceof PspCall.Cancel cancel) {
      return "/" + encoded(cancel.charge()) + "/cancel";
    }
    if (call instanceof PspCall.Refund refund) {
      return "/" + encoded(refund.charge()) + "/refund";
    }
    return call instanceof PspCall.Dispute dispute
        ? "/" + encoded(dispute.charge()) + "/dispute"
        : "";
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The key, bare where that is unambiguous; else an RFC 9651 String, which takes them all. */
  static String keyHeader(String key) {
    return BARE.matcher(key).matches()
        ? key
        : "\"" + key.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  static Buffer body(PspCall call) {
    JsonObject json = new JsonObject();
    if (call instanceof PspCall.Charge charge) {
      json.put("amount", charge.amount())
          .put("currency", charge.currency())
          .put("payment_method", charge.paymentMethod())
          .put("capture", charge.capture());
    }
    OptionalLong amount =
        call instanceof PspCall.Capture capture
            ? capture.amount()
            : call instanceof PspCall.Refund refund ? refund.amount() : OptionalLong.empty();
    amount.ifPresent(value -> json.put("amount", value));
    return json.toBuffer();
  }

  static Attempt attempt(PspCall call, int status, Buffer body) {
    if (status == 200 || status == 201) {
      return approved(body);
    }
    JsonObject problem = object(body).orElseGet(JsonObject::new);
    Optional<String> said = text(problem, "detail");
    String detail = said.orElse("status " + status);
    Optional<String> declineCode = text(problem, "decline_code");
    if (status == 402 && declineCode.isPresent()) {
      return new Answered(new Declined(declineCode.get()));
    }
    if (isRefused(call, status, said.isPresent())) {
      return new Answered(new Refused(detail));
    }
    return new Answered(
        isForLater(call, status)
            ? new Unavailable("the PSP answered " + status + ": " + detail)
            : new Rejected(status, detail));
  }

  /** A charge has no state yet: its 409 says that its key is busy with an earlier attempt. */
  private static boolean isForLater(PspCall call, int status) {
    return status == 429 || status >= 500 || (status == 409 && call instanceof PspCall.Charge);
  }

  /**
   * A charge is never refused for its state, and a 404 that says nothing may come from anybody on
   * the way: were they final, money could have moved for which there is no payment.
   */
  private static boolean isRefused(PspCall call, int status, boolean saysWhy) {
    return !(call instanceof PspCall.Charge) && (status == 409 || (status == 404 && saysWhy));
  }

  /** A yes that cannot be read is no answer: the charge may be there all the same. */
  private static Attempt approved(Buffer body) {
    Optional<JsonObject> json = object(body);
    if (json.isEmpty()) {
      return new Lost("an answer that is not JSON");
    }
    try {
      return new Answered(new Approved(charge(json.get()), refund(json.get())));
    } catch (ClassCastException | IllegalArgumentException e) {
      return new Lost("an answer that is no charge");
    }
  }

  private static PspCharge charge(JsonObject json) {
    return new PspCharge(
        id(json),
        whole(json, "amount"),
        required(json, "currency"),
        required(json, "status"),
        whole(json, "captured_amount"),
        whole(json, "refunded_amount"));
  }

  private static Optional<PspRefund> refund(JsonObject json) {
    return Optional.ofNullable(json.getJsonObject("refund"))
        .map(refund -> new PspRefund(id(refund), whole(refund, "amount")));
  }

  private static String id(JsonObject json) {
    return text(json, "id")
        .filter(it -> ID.matcher(it).matches())
        .orElseThrow(() -> new IllegalArgumentException("id"));
  }

  private static String required(JsonObject json, String name) {
    return text(json, name)
        .filter(it -> !it.isEmpty())
        .orElseThrow(() -> new IllegalArgumentException(name));
  }

  /** Never {@code getLong}: it cuts off fractions and what is beyond a long. */
  private static long whole(JsonObject json, String name) {
    Object value = json.getValue(name);
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(name);
  }

  private static Optional<String> text(JsonObject json, String name) {
    return json.getValue(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  private static Optional<JsonObject> object(Buffer body) {
    try {
      return body.length() == 0 ? Optional.empty() : Optional.of(new JsonObject(body));
    } catch (DecodeException | ClassCastException e) {
      return Optional.empty();
    }
  }
}
