package dev.latchkey.ledger.redis;

import dev.latchkey.store.redis.script.RedisKeys;

/** Where the books of a tenant stand, and the names of their fields. */
final class BookKeys {

  private BookKeys() {}

  /** Hash of payments, refunds, sums, and the ends of the lists. */
  static String books(String tenant) {
    return RedisKeys.name(tenant, "books");
  }

  /** Hash of customers by id. */
  static String customers(String tenant) {
    return RedisKeys.name(tenant, "customers");
  }

  /** Says which tenant a charge belongs to. */
  static String chargeHolder(String pspCharge) {
    return RedisKeys.global("charge", pspCharge);
  }

  /** Says which tenant a refund of the PSP belongs to. */
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

  /** Field of the id of a refund by the PSP's id. */
  static String pspRefund(String pspRefund) {
    return "s:" + pspRefund;
  }
}
