package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipts.Attempted;
import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A receipt on its way to the database.
 *
 * @param attempted what was run
 * @param response the encoded answer; of no meaning where a transaction makes it
 * @param effect what is written with it, if anything
 */
record ReceiptCommit(Attempted attempted, Buffer response, Optional<Write> effect) {

  /** As callers are told, by the clock of the claims. */
  long expiresAtMillis() {
    long at = attempted.expiresAtEpochMillis();
    return isLate() ? at - attempted.expiresInMillis() + keptMillis() : at;
  }

  /** How long it is kept from the commit on. */
  long keptMillis() {
    return Keys.millis(isLate() ? claim().leaseMillis() : attempted.expiresInMillis());
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
    return Keys.bytes(claim().token());
  }

  /** Takes the key by a receipt whose answer is still to come. */
  Holding holding() {
    return new Taking(this);
  }

  private record Taking(ReceiptCommit commit) implements Holding {

    @Override
    public long leaseMillis() {
      return commit.claim().leaseMillis();
    }

    @Override
    public Optional<Prepared> renewal() {
      return Optional.empty();
    }

    @Override
    public Prepared pin(long idleMillis, long wholeMillis) {
      Tuple values =
          Keys.values(commit.key())
              .addBuffer(commit.fingerprint())
              .addBuffer(commit.memberSketch())
              .addBuffer(commit.token())
              .addInteger(commit.attempted().attempt())
              .addLong(commit.attempted().createdAtEpochMillis())
              .addLong(commit.expiresAtMillis())
              .addLong(commit.keptMillis())
              .addString(Long.toString(idleMillis))
              .addString(Long.toString(wholeMillis));
      return new Prepared(ReceiptSql.TAKE, values);
    }

    @Override
    public Prepared complete(Buffer response, @Nullable String transaction) {
      Tuple values =
          Keys.values(commit.key())
              .addBuffer(commit.token())
              .addBuffer(response)
              .addValue(transaction);
      return new Prepared(ReceiptSql.ANSWER, values);
    }
  }
}
