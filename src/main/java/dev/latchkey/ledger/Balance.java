package dev.latchkey.ledger;

/**
 * The captured money of one tenant in one currency, in minor units.
 *
 * @param currency ISO 4217
 * @param captured sum of captured amounts
 * @param refunded sum of refunded amounts
 * @param payments number of payments with captured money
 */
public record Balance(String currency, long captured, long refunded, long payments) {

  /** Returns captured minus refunded, in minor units. */
  public long net() {
    return captured - refunded;
  }
}
