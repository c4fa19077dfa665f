package dev.latchkey.ledger;

import java.util.Optional;

/**
 * The client's description of a payment.
 *
 * @param amount in minor units, 1 to {@value #MAX_AMOUNT}
 * @param currency ISO 4217, upper case
 * @param paymentMethod such as {@code pm_card_visa}
 * @param customer the client's own reference, up to 255 characters
 * @param description up to 1,000 characters
 * @param metadata the client's own values
 */
public record PaymentDetails(
    long amount,
    String currency,
    String paymentMethod,
    Optional<String> customer,
    Optional<String> description,
    Metadata metadata) {

  /** Limit of an amount, in minor units. */
  public static final long MAX_AMOUNT = 99_999_999_999L;

  /**
   * Returns the details with other texts.
   *
   * @param other the description
   * @param notes the metadata
   * @return the details
   */
  public PaymentDetails with(Optional<String> other, Metadata notes) {
    return new PaymentDetails(amount, currency, paymentMethod, customer, other, notes);
  }
}
