package dev.latchkey.payments;

import dev.latchkey.web.Problem;
import dev.latchkey.web.ProblemType;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The error answers of the payments API. */
final class PaymentProblems {

  private PaymentProblems() {}

  static Problem invalidRequest(List<FieldError> errors) {
    JsonArray list = new JsonArray();
    for (FieldError error : errors) {
      list.add(new JsonObject().put("pointer", error.pointer()).put("detail", error.detail()));
    }
    return Problem.of(
            400,
            ProblemType.INVALID_REQUEST,
            "See errors for what has to change; sending it again as it is cannot succeed.")
        .with("errors", list);
  }

  static Problem unsupportedMediaType() {
    return Problem.of(
        415,
        ProblemType.UNSUPPORTED_MEDIA_TYPE,
        "A body is sent as application/json in UTF-8 without content coding.");
  }

  static Problem noSuchPayment() {
    return Problem.of(404, ProblemType.NOT_FOUND, "There is no payment with this id.");
  }

  static Problem noSuchCustomer() {
    return Problem.of(404, ProblemType.NOT_FOUND, "There is no customer with this id.");
  }

  static Problem keyMalformed() {
    return Problem.of(
        400,
        ProblemType.KEY_MALFORMED,
        "A key is 1 to 255 printable ASCII characters, percent-encoded in the path.");
  }

  static Problem preconditionRequired() {
    return Problem.of(
        428,
        ProblemType.PRECONDITION_REQUIRED,
        "Read the payment and send its ETag in If-Match, so that no change of somebody else is"
            + " overwritten; nothing was done.");
  }

  static Problem preconditionFailed() {
    return Problem.of(
        412,
        ProblemType.PRECONDITION_FAILED,
        "If-Match or If-None-Match does not hold for what is here now; nothing was done. Read it"
            + " again before sending another change.");
  }

  static Problem overloaded(String detail) {
    return Problem.of(
            503,
            ProblemType.OVERLOADED,
            detail + " Nothing was done; the same request may be sent again in a while.")
        .retryAfterSeconds(1)
        .with("retryable", true);
  }

  static Problem paymentState(String detail) {
    return Problem.of(409, "payment-state", "The state of the payment does not allow this", detail);
  }

  static Problem cardDeclined(String declineCode) {
    return Problem.of(
            402,
            "card-declined",
            "The card was declined",
            "The card was declined for good; use another payment method and a new key.")
        .with("decline_code", declineCode);
  }

  static Problem pspUnavailable() {
    return Problem.of(
            503,
            "psp-unavailable",
            "The payment service provider is unavailable",
            "The payment service provider did not do it or did not say so; the same request with"
                + " the same key finds out and charges nothing twice.")
        .retryAfterSeconds(1);
  }

  static Problem storeUnavailable() {
    return Problem.of(
            503,
            ProblemType.STORE_UNAVAILABLE,
            "What this needs to know or to write cannot be reached now; the same request may be"
                + " sent again.")
        .retryAfterSeconds(1)
        .with("retryable", true);
  }

  static Problem internalError() {
    return Problem.of(
        500,
        ProblemType.INTERNAL_ERROR,
        "The service cannot say what became of the request; the same request with the same key"
            + " may be sent again.");
  }
}
