package dev.latchkey.ledger;

/**
 * A payment as it stood at one version. Immutable.
 *
 * @param id {@code pay_...}, unique over all tenants
 * @param origin how it came about
 * @param details what the client said about it
 * @param state what changes about it
 */
public record Payment(String id, PaymentOrigin origin, PaymentDetails details, PaymentState state) {

  /** Returns whose payment it is. */
  public String tenant() {
    return origin.tenant();
  }

  /** Returns where it stands. */
  public PaymentStatus status() {
    return state.status();
  }

  /** Returns which state of the payment this is, from 1. */
  public long version() {
    return state.version();
  }

  /**
   * The same payment in another state.
   *
   * @param next the state
   * @return the payment
   */
  public Payment with(PaymentState next) {
    return new Payment(id, origin, details, next);
  }

  /**
   * The same payment with other texts, one version on.
   *
   * @param amendment the texts; its version is not compared here
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
