package dev.latchkey.payments;

import dev.latchkey.web.Problem;
import dev.latchkey.web.ProblemType;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The problem documents of the payments API. */
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
            "Correct the request as described in errors. The same request will fail again.")
        .with("errors", list);
  }

  static Problem unsupportedMediaType() {
    return Problem.of(
        415,
        ProblemType.UNSUPPORTED_MEDIA_TYPE,
        "Send the body as application/json in UTF-8 without content coding.");
  }

  static Problem noSuchPayment() {
    return Problem.of(404, ProblemType.NOT_FOUND, "There is no payment with this id.");
  }

  static Problem noSuchRefund() {
    return Problem.of(404, ProblemType.NOT_FOUND, "There is no refund with this id.");
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
        "Read the payment and send its ETag in If-Match, so that changes of others are not"
            + " overwritten. Nothing was changed.");
  }

  static Problem preconditionFailed() {
    return Problem.of(
        412,
        ProblemType.PRECONDITION_FAILED,
        "If-Match or If-None-Match does not match the current version. Nothing was changed. Read"
            + " the resource again before you change it.");
  }

  static Problem overloaded(String detail) {
    return Problem.of(503, ProblemType.OVERLOADED, detail + " Nothing was changed. Retry later.")
        .retryAfterSeconds(1);
  }

  static Problem paymentState(String detail) {
    return Problem.of(409, "payment-state", "The state of the payment does not allow this", detail);
  }

  static Problem cardDeclined(String declineCode) {
    return Problem.of(
            402,
            "card-declined",
            "The card was declined",
            "The card was declined permanently. Use another payment method and a new key.")
        .with("decline_code", declineCode);
  }

  static Problem pspUnavailable() {
    return Problem.of(
            503,
            "psp-unavailable",
            "The payment service provider is unavailable",
            "The payment service provider did not confirm the operation. Retry with the same key;"
                + " nothing is charged twice.")
        .retryAfterSeconds(1);
  }

  static Problem storeUnavailable() {
    return Problem.of(
            503,
            ProblemType.STORE_UNAVAILABLE,
            "The store cannot be reached. Retry the same request.")
        .retryAfterSeconds(1);
  }

  static Problem internalError() {
    return Problem.of(
        500,
        ProblemType.INTERNAL_ERROR,
        "The outcome of the request is unknown. Retry with the same key.");
  }
}
