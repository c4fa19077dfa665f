package dev.latchkey.ledger.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A ledger that a real store writes, with completions of keys of the effects' tenant. */
final class RedisLedgerFixture implements LedgerFixture {

  private final RedisConnections connections;
  private final RedisStore store;
  private final RedisLedger ledger;

  RedisLedgerFixture(Vertx vertx, List<RedisServer> nodes) {
    nodes.forEach(node -> node.command("FLUSHALL"));
    List<String> endpoints = nodes.stream().map(RedisServer::uri).toList();
    connections = RedisConnections.create(vertx, new RedisOptions().setEndpoints(endpoints));
    store = RedisStore.create(connections, new RedisLedgerEffects());
    ledger = new RedisLedger(connections);
    StoreCalls.eventually(store::ready);
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Optional<EffectRefused> apply(List<Effect> effects) {
    ScopedKey key =
        new ScopedKey(tenant(effects.get(0)), "POST /v1/payments", UUID.randomUUID().toString());
    Attempt attempt = Attempt.at(key);
    StoreCalls calls = new StoreCalls(store);
    calls.claimed(attempt);
    CompleteResult result =
        calls.complete(attempt, StoreCalls.CREATED, effects.toArray(Effect[]::new));
    if (result instanceof EffectRefused refused) {
      return Optional.of(refused);
    }
    assertThat(result).isInstanceOf(CompleteResult.Completed.class);
    return Optional.empty();
  }

  private static String tenant(Effect effect) {
    if (effect instanceof InsertPayment insert) {
      return insert.payment().tenant();
    }
    if (effect instanceof BookCapture capture) {
      return capture.tenant();
    }
    return effect instanceof BookCancel cancel
        ? cancel.tenant()
        : ((BookRefund) effect).refund().tenant();
  }

  @Override
  public int rounds() {
    return 20;
  }

  @Override
  public void close() {
    await(store.close());
    await(connections.close());
  }
}
