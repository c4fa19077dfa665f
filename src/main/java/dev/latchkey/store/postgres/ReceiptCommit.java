package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipts.Attempted;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.effect.StatementWithEffects;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/**
 * A receipt to be committed.
 *
 * @param attempted the attempt
 * @param response the encoded response; unused if a transaction produces it
 * @param effect the effect to write, if any
 */
record ReceiptCommit(Attempted attempted, Buffer response, Optional<EffectWrite> effect)
    implements StatementWithEffects.Ending {

  static ReceiptCommit withoutResponse(Attempted attempted) {
    return new ReceiptCommit(attempted, Buffer.buffer(), Optional.empty());
  }

  /** As callers see it, by the clock of the claims. */
  long expiresAtMillis() {
    long at = attempted.expiresAtEpochMillis();
    return isLate() ? at - attempted.expiresInMillis() + keptMillis() : at;
  }

  /** How long it is kept from the commit. */
  long keptMillis() {
    return KeyParameters.millis(isLate() ? claim().leaseMillis() : attempted.expiresInMillis());
  }

  private boolean isLate() {
    return attempted.expiresInMillis() <= 0;
  }

  @Override
  public Claim claim() {
    return attempted.claim();
  }

  ScopedKey key() {
    return claim().key();
  }

  Buffer fingerprint() {
    return Buffer.buffer(claim().fingerprint().hash());
  }

  Buffer memberSketch() {
    return Buffer.buffer(claim().fingerprint().memberSketch());
  }

  Buffer token() {
    return KeyParameters.bytes(claim().token());
  }

  /** Reserves the key by a receipt without response. */
  KeyLock lock() {
    Tuple reservation =
        KeyParameters.values(key())
            .addBuffer(fingerprint())
            .addBuffer(memberSketch())
            .addBuffer(token())
            .addInteger(attempted.attempt())
            .addLong(attempted.createdAtEpochMillis())
            .addLong(expiresAtMillis())
            .addLong(keptMillis());
    return new KeyLock(
        claim().leaseMillis(),
        Optional.empty(),
        new KeyLock.Prepared(ReceiptSql.RESERVE, reservation),
        new KeyLock.Prepared(ReceiptSql.FILL, KeyParameters.values(key()).addBuffer(token())));
  }
}
