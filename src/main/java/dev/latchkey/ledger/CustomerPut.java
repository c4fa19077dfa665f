package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Creates or replaces a customer if a precondition holds. A repeated put changes nothing.
 *
 * @param tenant the owner
 * @param id chosen by the tenant, see {@link Customer#id()}
 * @param name empty for none
 * @param email empty for none
 * @param precondition checked in the step that writes
 * @param atEpochMillis time of the put
 */
public record CustomerPut(
    String tenant,
    String id,
    Optional<String> name,
    Optional<String> email,
    Precondition precondition,
    long atEpochMillis) {

  /** The result of a put. */
  public sealed interface Result {}

  /**
   * The customer is new. Of several concurrent puts only one gets this result.
   *
   * @param customer at version 1
   */
  public record Created(Customer customer) implements Result {}

  /**
   * The customer has these values: a new version, or the same version if it had them before.
   *
   * @param customer the current version
   */
  public record Stored(Customer customer) implements Result {}

  /** The precondition does not hold; nothing was written. */
  public record ConditionFailed() implements Result {}

  /** The ledger is full; nothing was written. */
  public record Full() implements Result {}

  /** Returns the customer that this creates. */
  public Customer first() {
    return new Customer(tenant, id, name, email, atEpochMillis, atEpochMillis, 1);
  }

  /**
   * Applies this to a customer.
   *
   * @param known the current version
   * @return the next version, or the same one if it has these values already
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
