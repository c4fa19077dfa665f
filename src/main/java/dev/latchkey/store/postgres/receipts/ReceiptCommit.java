package dev.latchkey.store.postgres.receipts;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipts.Attempted;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import dev.latchkey.store.postgres.transaction.KeyLock;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A receipt to be committed.
 *
 * @param attempted the attempt
 * @param response the encoded response; unused if a transaction produces it
 * @param effect the effect to write, if any
 */
record ReceiptCommit(Attempted attempted, Buffer response, Optional<EffectWrite> effect) {

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

  Claim claim() {
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
    return new Reservation(this);
  }

  private record Reservation(ReceiptCommit commit) implements KeyLock {

    @Override
    public long leaseMillis() {
      return commit.claim().leaseMillis();
    }

    @Override
    public Optional<Prepared> renewal() {
      return Optional.empty();
    }

    @Override
    public Prepared lock(long idleMillis, long wholeMillis) {
      Tuple values =
          KeyParameters.values(commit.key())
              .addBuffer(commit.fingerprint())
              .addBuffer(commit.memberSketch())
              .addBuffer(commit.token())
              .addInteger(commit.attempted().attempt())
              .addLong(commit.attempted().createdAtEpochMillis())
              .addLong(commit.expiresAtMillis())
              .addLong(commit.keptMillis())
              .addString(Long.toString(idleMillis))
              .addString(Long.toString(wholeMillis));
      return new Prepared(ReceiptSql.RESERVE, values);
    }

    @Override
    public Prepared complete(Buffer response, @Nullable String transaction) {
      Tuple values =
          KeyParameters.values(commit.key())
              .addBuffer(commit.token())
              .addBuffer(response)
              .addValue(transaction);
      return new Prepared(ReceiptSql.FILL, values);
    }
  }
}
