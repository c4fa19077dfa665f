package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Makes a customer, or replaces what is said about one, if a precondition holds. Sent again it
 * changes nothing more.
 *
 * @param tenant whose
 * @param id the tenant's own choice, see {@link Customer#id()}
 * @param name empty to say nothing
 * @param email empty to say nothing
 * @param precondition decided in the step that writes
 * @param atEpochMillis when
 */
public record CustomerPut(
    String tenant,
    String id,
    Optional<String> name,
    Optional<String> email,
    Precondition precondition,
    long atEpochMillis) {

  /** What became of it. */
  public sealed interface Result {}

  /**
   * There was no such customer; now there is. Of any number of puts at a time one is told so.
   *
   * @param customer at version 1
   */
  public record Created(Customer customer) implements Result {}

  /**
   * The customer says what it was to say: one version on, or as it was when it said so already.
   *
   * @param customer as it stands
   */
  public record Stored(Customer customer) implements Result {}

  /** The precondition does not hold; nothing was written. */
  public record ConditionFailed() implements Result {}

  /** The ledger takes no more; nothing was written. */
  public record Full() implements Result {}

  /** Returns the customer that this makes where there is none. */
  public Customer first() {
    return new Customer(tenant, id, name, email, atEpochMillis, atEpochMillis, 1);
  }

  /**
   * What this makes of a customer.
   *
   * @param known the customer as it stands
   * @return its next version; the same one when it says all that already
   */
  public Customer over(Customer known) {
    if (known.name().equals(name) && known.email().equals(email)) {
      return known;
    }
    return new Customer(
        tenant,
        id,
        name,
        email,
        known.createdAtEpochMillis(),
        Math.max(known.updatedAtEpochMillis(), atEpochMillis),
        known.version() + 1);
  }
}
