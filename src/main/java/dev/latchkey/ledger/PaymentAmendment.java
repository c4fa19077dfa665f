package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Replaces the client's texts of a payment if the payment has not changed since it was read. The
 * step that writes compares the version, so that neither this nor a concurrent capture, cancel or
 * refund is lost.
 *
 * @param tenant the owner
 * @param payment id of the payment
 * @param version that was read
 * @param description the whole new text
 * @param metadata the whole new metadata
 * @param atEpochMillis time of the change
 */
public record PaymentAmendment(
    String tenant,
    String payment,
    long version,
    Optional<String> description,
    Metadata metadata,
    long atEpochMillis) {

  /** The result of an amendment. */
  public sealed interface Result {}

  /**
   * The amendment was written.
   *
   * @param payment the new version
   */
  public record Amended(Payment payment) implements Result {}

  /** The tenant has no payment with this id and version; nothing was written. */
  public record NotAtVersion() implements Result {}

  /** The ledger is full; nothing was written. */
  public record Full() implements Result {}
}
