package dev.latchkey.ledger.redis;

import dev.latchkey.store.redis.RedisKeys;

/** Where the books of a tenant stand. */
final class BookKeys {

  private BookKeys() {}

  /** Hash of payments by id. */
  static String payments(String tenant) {
    return RedisKeys.name(tenant, "payments");
  }

  /** Hash of payment ids by charge. */
  static String charges(String tenant) {
    return RedisKeys.name(tenant, "charges");
  }

  /** Hash of refunds by id. */
  static String refunds(String tenant) {
    return RedisKeys.name(tenant, "refunds");
  }

  /** Hash of refund ids by the PSP's id. */
  static String pspRefunds(String tenant) {
    return RedisKeys.name(tenant, "psp-refunds");
  }

  /** Hash of sums by currency. */
  static String balance(String tenant) {
    return RedisKeys.name(tenant, "balance");
  }

  /** Hash of customers by id. */
  static String customers(String tenant) {
    return RedisKeys.name(tenant, "customers");
  }

  /** Counts payments; gives each its place in the lists. */
  static String sequence(String tenant) {
    return RedisKeys.name(tenant, "sequence");
  }

  /** Sorted set of payment ids by sequence. */
  static String list(String tenant) {
    return RedisKeys.name(tenant, "list");
  }

  /** Likewise, of one customer. */
  static String listOfCustomer(String tenant, String customer) {
    return RedisKeys.name(tenant, "list-customer", customer);
  }

  /** Likewise, made by requests with one idempotency key. */
  static String listOfKey(String tenant, String idempotencyKey) {
    return RedisKeys.name(tenant, "list-key", idempotencyKey);
  }

  /** Says which tenant a charge belongs to. */
  static String chargeHolder(String pspCharge) {
    return RedisKeys.global("charge", pspCharge);
  }

  /** Says which tenant a refund of the PSP belongs to. */
  static String pspRefundHolder(String pspRefund) {
    return RedisKeys.global("psp-refund", pspRefund);
  }
}
