package dev.latchkey.ledger;

import java.math.BigInteger;

/**
 * The captured money of one tenant in one currency, in minor units. A sum may exceed 2^63.
 *
 * @param currency ISO 4217
 * @param captured sum of captured amounts
 * @param refunded sum of refunded amounts
 * @param payments number of payments with captured money
 */
public record Balance(String currency, BigInteger captured, BigInteger refunded, long payments) {

  /** Makes a balance of sums below 2^63. */
  public Balance(String currency, long captured, long refunded, long payments) {
    this(currency, BigInteger.valueOf(captured), BigInteger.valueOf(refunded), payments);
  }

  /** Returns captured minus refunded, in minor units. */
  public BigInteger net() {
    return captured.subtract(refunded);
  }
}
