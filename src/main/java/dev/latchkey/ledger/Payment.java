package dev.latchkey.ledger;

/**
 * One version of a payment. Immutable.
 *
 * @param id {@code pay_...}, unique over all tenants
 * @param origin its creation, never changes
 * @param details the client's description
 * @param state the part that changes
 */
public record Payment(String id, PaymentOrigin origin, PaymentDetails details, PaymentState state) {

  /** Returns the owner. */
  public String tenant() {
    return origin.tenant();
  }

  /** Returns the status. */
  public PaymentStatus status() {
    return state.status();
  }

  /** Returns the number of this version, from 1. */
  public long version() {
    return state.version();
  }

  /**
   * Returns the payment in another state.
   *
   * @param next the state
   * @return the payment
   */
  public Payment with(PaymentState next) {
    return new Payment(id, origin, details, next);
  }

  /**
   * Returns the next version, with other texts.
   *
   * @param amendment the texts; its version is not compared
   * @return the payment
   */
  public Payment with(PaymentAmendment amendment) {
    return new Payment(
        id,
        origin,
        details.with(amendment.description(), amendment.metadata()),
        state.amended(amendment.atEpochMillis()));
  }
}
