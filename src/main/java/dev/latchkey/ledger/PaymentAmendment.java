package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Replaces what the client says about a payment, if nothing about it has changed since it was read:
 * the version is compared in the step that writes, so that neither this nor a capture, cancel or
 * refund that races it is lost.
 *
 * @param tenant whose payment
 * @param payment its id
 * @param version what the new texts were made from
 * @param description all of it
 * @param metadata all of it
 * @param atEpochMillis when
 */
public record PaymentAmendment(
    String tenant,
    String payment,
    long version,
    Optional<String> description,
    Metadata metadata,
    long atEpochMillis) {

  /** What became of it. */
  public sealed interface Result {}

  /**
   * It was written.
   *
   * @param payment one version on
   */
  public record Amended(Payment payment) implements Result {}

  /** This tenant has no such payment at this version; nothing was written. */
  public record NotAtVersion() implements Result {}

  /** The ledger takes no more; nothing was written. */
  public record Full() implements Result {}
}
