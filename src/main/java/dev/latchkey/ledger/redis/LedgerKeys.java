package dev.latchkey.ledger.redis;

import dev.latchkey.store.redis.RedisKeys;

/** Names of keys and fields of the ledger in Redis. */
final class LedgerKeys {

  private LedgerKeys() {}

  /** Hash of payments, refunds, sums, and the heads of the lists. */
  static String ledger(String tenant) {
    return RedisKeys.name(tenant, "ledger");
  }

  /** Hash of customers by id. */
  static String customers(String tenant) {
    return RedisKeys.name(tenant, "customers");
  }

  /** The tenant that a charge belongs to. */
  static String chargeHolder(String pspCharge) {
    return RedisKeys.global("charge", pspCharge);
  }

  /** The tenant that a refund of the PSP belongs to. */
  static String pspRefundHolder(String pspRefund) {
    return RedisKeys.global("psp-refund", pspRefund);
  }

  /** Field of a payment. */
  static String payment(String id) {
    return "p:" + id;
  }

  /** Field of the id of the payment that a charge belongs to. */
  static String charge(String pspCharge) {
    return "c:" + pspCharge;
  }

  /** Field of a refund. */
  static String refund(String id) {
    return "r:" + id;
  }

  /** Field of the id of a refund, by the id of the PSP. */
  static String pspRefund(String pspRefund) {
    return "s:" + pspRefund;
  }
}
