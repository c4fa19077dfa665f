package dev.latchkey.ledger;

/**
 * The captured money of one tenant in one currency, in minor units.
 *
 * @param currency ISO 4217
 * @param captured sum of what was captured
 * @param refunded sum of what was given back of it
 * @param payments how many payments have money captured
 */
public record Balance(String currency, long captured, long refunded, long payments) {

  /** Returns what is left, in minor units. */
  public long net() {
    return captured - refunded;
  }
}
