package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeySql;
import dev.latchkey.store.postgres.transaction.KeyLock;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Locks the row of a claim by its token. */
record ClaimLock(Claim claim) implements KeyLock {

  @Override
  public long leaseMillis() {
    return claim.leaseMillis();
  }

  @Override
  public Optional<Prepared> renewal() {
    Tuple values = held().addLong(KeyParameters.millis(claim.leaseMillis()));
    return Optional.of(new Prepared(KeySql.RENEW_ONE, values));
  }

  @Override
  public Prepared lock(long idleMillis, long wholeMillis) {
    Tuple values =
        held().addString(Long.toString(idleMillis)).addString(Long.toString(wholeMillis));
    return new Prepared(KeySql.LOCK, values);
  }

  @Override
  public Prepared complete(Buffer response, @Nullable String transaction) {
    Tuple values =
        held()
            .addBuffer(response)
            .addLong(KeyParameters.millis(claim.leaseMillis()))
            .addValue(transaction);
    return new Prepared(KeySql.COMPLETE_LOCKED, values);
  }

  private Tuple held() {
    return KeyParameters.values(claim.key()).addBuffer(KeyParameters.bytes(claim.token()));
  }
}
