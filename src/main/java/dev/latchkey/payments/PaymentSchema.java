package dev.latchkey.payments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.PaymentDetails;
import java.util.Currency;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads commands from the bodies of the payments API. Rejects invalid ones. Pure. */
final class PaymentSchema {

  /** Length limit of a customer reference, in characters. */
  static final int MAX_CUSTOMER_CHARS = 255;

  /** Length limit of a description, in characters. */
  static final int MAX_DESCRIPTION_CHARS = 1_000;

  /** Length limit of the reason of a refund, in characters. */
  static final int MAX_REASON_CHARS = 1_000;

  // Codes of ISO 4217 that the currency data of Java 17 lacks.
  private static final Set<String> NEWER_CURRENCIES = Set.of("UYW", "XAD");

  private static final Set<String> CURRENCIES =
      Stream.concat(
              Currency.getAvailableCurrencies().stream().map(Currency::getCurrencyCode),
              NEWER_CURRENCIES.stream())
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> CREATE_MEMBERS =
      Set.of(
          "amount", "currency", "payment_method", "customer", "description", "capture", "metadata");

  private final Predicate<String> paymentMethods;

  /**
   * Creates the schema.
   *
   * @param paymentMethods tests whether a payment method exists
   */
  PaymentSchema(Predicate<String> paymentMethods) {
    this.paymentMethods = paymentMethods;
  }

  Command.Create create(JsonNode body) {
    FieldErrors errors = new FieldErrors();
    MemberReader members = new MemberReader(body, errors).only(CREATE_MEMBERS);
    PaymentDetails details =
        new PaymentDetails(
            members.requiredAmount("amount"),
            members.requiredText(
                "currency", CURRENCIES::contains, "must be an ISO 4217 code in upper case"),
            members.requiredText(
                "payment_method", paymentMethods, "must be one of the test payment methods"),
            members.text("customer", MAX_CUSTOMER_CHARS),
            members.text("description", MAX_DESCRIPTION_CHARS),
            members.metadata("metadata"));
    Command.Create create = new Command.Create(details, members.flag("capture", true));
    errors.check();
    return create;
  }

  Command.Capture capture(String payment, JsonNode body) {
    FieldErrors errors = new FieldErrors();
    MemberReader members = new MemberReader(body, errors).only(Set.of("amount"));
    Command.Capture capture = new Command.Capture(payment, members.amount("amount"));
    errors.check();
    return capture;
  }

  Command.Cancel cancel(String payment, JsonNode body) {
    FieldErrors errors = new FieldErrors();
    new MemberReader(body, errors).only(Set.of());
    errors.check();
    return new Command.Cancel(payment);
  }

  Command.Refund refund(String payment, JsonNode body) {
    FieldErrors errors = new FieldErrors();
    MemberReader members = new MemberReader(body, errors).only(Set.of("amount", "reason"));
    Command.Refund refund =
        new Command.Refund(
            payment, members.amount("amount"), members.text("reason", MAX_REASON_CHARS));
    errors.check();
    return refund;
  }

  Command.Amend amend(String payment, JsonNode body) {
    FieldErrors errors = new FieldErrors();
    MemberReader members = new MemberReader(body, errors).only(Set.of("description", "metadata"));
    Command.Amend amend =
        new Command.Amend(
            payment,
            members.textChange("description", MAX_DESCRIPTION_CHARS),
            members.metadataChange("metadata"));
    errors.check();
    return amend;
  }

  Command.PutCustomer putCustomer(Optional<String> id, JsonNode body) {
    FieldErrors errors = new FieldErrors();
    if (id.filter(Customers::isId).isEmpty()) {
      errors.add(
          "/id",
          "the id in the path must be 1 to "
              + Customer.MAX_ID_CHARS
              + " characters of UTF-8, percent-encoded, without %00");
    }
    MemberReader members = new MemberReader(body, errors).only(Set.of("name", "email"));
    Command.PutCustomer put =
        new Command.PutCustomer(
            id.orElse(""),
            members.nullableText("name", Customer.MAX_NAME_CHARS),
            members.nullableText("email", Customer.MAX_EMAIL_CHARS));
    errors.check();
    return put;
  }
}
