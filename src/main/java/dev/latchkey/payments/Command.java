package dev.latchkey.payments;

import dev.latchkey.ledger.PaymentDetails;
import java.util.Optional;
import java.util.OptionalLong;

/** What a sound request asks for. Immutable. */
sealed interface Command {

  /**
   * Make a payment.
   *
   * @param details what the client says about it
   * @param capture whether to take the money at once
   */
  record Create(PaymentDetails details, boolean capture) implements Command {}

  /**
   * Take authorised money.
   *
   * @param payment the payment's id, any text
   * @param amount in minor units, all of it when left out
   */
  record Capture(String payment, OptionalLong amount) implements Command {}

  /**
   * Give an authorisation back.
   *
   * @param payment the payment's id, any text
   */
  record Cancel(String payment) implements Command {}

  /**
   * Give captured money back.
   *
   * @param payment the payment's id, any text
   * @param amount in minor units, the rest when left out
   * @param reason the client's words, if any
   */
  record GiveBack(String payment, OptionalLong amount, Optional<String> reason)
      implements Command {}

  /**
   * Say other things about a payment.
   *
   * @param payment the payment's id, any text
   * @param description what becomes of it
   * @param metadata what becomes of it
   */
  record Amend(String payment, TextChange description, MetadataChange metadata)
      implements Command {}

  /**
   * Say all that is to be known of a customer.
   *
   * @param customer the customer's id
   * @param name if any
   * @param email if any
   */
  record PutCustomer(String customer, Optional<String> name, Optional<String> email)
      implements Command {}
}
