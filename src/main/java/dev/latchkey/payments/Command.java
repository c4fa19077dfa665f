package dev.latchkey.payments;

import dev.latchkey.ledger.PaymentDetails;
import java.util.Optional;
import java.util.OptionalLong;

/** A valid request. Immutable. */
sealed interface Command {

  /** A keyed request about one payment. */
  sealed interface OfPayment extends Command {

    /** Returns the id of the payment, any text. */
    String payment();
  }

  /**
   * Creates a payment.
   *
   * @param details the client's description of it
   * @param capture whether to capture at once
   */
  record Create(PaymentDetails details, boolean capture) implements Command {}

  /**
   * Captures an authorised payment.
   *
   * @param payment id of the payment, any text
   * @param amount in minor units, the whole payment if absent
   */
  record Capture(String payment, OptionalLong amount) implements OfPayment {}

  /**
   * Cancels an authorised payment.
   *
   * @param payment id of the payment, any text
   */
  record Cancel(String payment) implements OfPayment {}

  /**
   * Refunds a captured payment.
   *
   * @param payment id of the payment, any text
   * @param amount in minor units, the rest if absent
   * @param reason of the client, if any
   */
  record Refund(String payment, OptionalLong amount, Optional<String> reason)
      implements OfPayment {}

  /**
   * Changes the client's texts of a payment.
   *
   * @param payment id of the payment, any text
   * @param description its change
   * @param metadata its change
   */
  record Amend(String payment, TextChange description, MetadataChange metadata)
      implements Command {}

  /**
   * Creates or replaces a customer.
   *
   * @param customer id of the customer
   * @param name if any
   * @param email if any
   */
  record PutCustomer(String customer, Optional<String> name, Optional<String> email)
      implements Command {}

  /**
   * The change of an optional text by a merge patch (RFC 7396).
   *
   * @param keep whether the text stays
   * @param text the new text, if it does not stay; empty to remove it
   */
  record TextChange(boolean keep, Optional<String> text) {

    static final TextChange KEEP = new TextChange(true, Optional.empty());

    Optional<String> applyTo(Optional<String> current) {
      return keep ? current : text;
    }
  }
}
