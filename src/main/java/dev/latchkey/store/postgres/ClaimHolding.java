package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds the row of a claim by its token. */
record ClaimHolding(Claim claim) implements Holding {

  @Override
  public long leaseMillis() {
    return claim.leaseMillis();
  }

  @Override
  public Optional<Prepared> renewal() {
    Tuple values = held().addLong(Keys.millis(claim.leaseMillis()));
    return Optional.of(new Prepared(KeySql.RENEW_ONE, values));
  }

  @Override
  public Prepared pin(long idleMillis, long wholeMillis) {
    Tuple values =
        held().addString(Long.toString(idleMillis)).addString(Long.toString(wholeMillis));
    return new Prepared(KeySql.PIN, values);
  }

  @Override
  public Prepared complete(Buffer response, @Nullable String transaction) {
    Tuple values =
        held().addBuffer(response).addLong(Keys.millis(claim.leaseMillis())).addValue(transaction);
    return new Prepared(KeySql.COMPLETE_PINNED, values);
  }

  private Tuple held() {
    return Keys.values(claim.key()).addBuffer(Keys.bytes(claim.token()));
  }
}
