package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeySql;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/**
 * The statements by which one transaction locks its key and stores the response. Used once.
 *
 * @param leaseMillis how long the claim lasts without renewal
 * @param renewal precedes a transaction with work
 * @param lock raises {@code latchkey_lost} if the key cannot be locked; lacks its last parameters:
 *     how long the transaction may idle and take
 * @param complete raises if the key is not locked; lacks its last parameter: the response
 */
record KeyLock(long leaseMillis, Optional<Prepared> renewal, Prepared lock, Prepared complete) {

  record Prepared(String sql, Tuple values) {}

  /** Locks the row of a claim by its token. */
  static KeyLock of(Claim claim) {
    long lease = KeyParameters.millis(claim.leaseMillis());
    return new KeyLock(
        claim.leaseMillis(),
        Optional.of(new Prepared(KeySql.RENEW_ONE, held(claim).addLong(lease))),
        new Prepared(KeySql.LOCK, held(claim)),
        new Prepared(KeySql.COMPLETE_LOCKED, held(claim).addLong(lease)));
  }

  private static Tuple held(Claim claim) {
    return KeyParameters.values(claim.key()).addBuffer(KeyParameters.bytes(claim.token()));
  }

  Prepared lockFor(long idleMillis, long wholeMillis) {
    lock.values.addString(Long.toString(idleMillis)).addString(Long.toString(wholeMillis));
    return lock;
  }

  Prepared completeWith(Buffer response) {
    complete.values.addBuffer(response);
    return complete;
  }
}
