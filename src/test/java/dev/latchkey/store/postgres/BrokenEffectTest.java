package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application whose effects cannot be written: each fails alone, and nobody waits for it. */
class BrokenEffectTest {

  private enum Breaks implements Effect {
    NAMING_ITS_ROW,
    GIVING_ITS_VALUES,
    GIVING_ANOTHER_TYPE
  }

  /** Text that is no text, or no answer at all. */
  private record BrokenKind(PostgresEffectKind like) implements PostgresEffectKind {
    @Override
    public String name() {
      return like.name();
    }

    @Override
    public List<Column> columns() {
      return like.columns();
    }

    @Override
    public Object[] values(Effect effect) {
      if (effect == Breaks.GIVING_ITS_VALUES) {
        throw new IllegalStateException("no values");
      }
      return effect instanceof Breaks ? new Object[] {1L} : like.values(effect);
    }

    @Override
    public String row(Effect effect) {
      if (effect == Breaks.NAMING_ITS_ROW) {
        throw new IllegalStateException("no row");
      }
      return effect instanceof Breaks ? "broken" : like.row(effect);
    }

    @Override
    public String ctes() {
      return like.ctes();
    }
  }

  private static PostgresNodes nodes;
  private static PostgresStore store;
  private static StoreCalls calls;

  @BeforeAll
  static void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    PostgresEffectKind kind =
        new BrokenKind(nodes.effects.kindOf(nodes.effects.applies("any")).orElseThrow());
    store =
        PostgresStore.create(
            nodes.vertx,
            nodes.database.connectOptions(),
            PostgresNodes.patient(),
            effect -> Optional.of(kind));
    calls = new StoreCalls(store);
  }

  @AfterAll
  static void close() {
    await(store.close());
    nodes.close();
  }

  @ParameterizedTest
  @EnumSource
  void failsAloneAndTheOthersAreWritten(Breaks broken) {
    List<Attempt> attempts = new ArrayList<>();
    List<Supplier<Future<Object>>> endings = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Attempt attempt = Attempt.atNewKey();
      calls.claimed(attempt);
      attempts.add(attempt);
      Effect effect = i == 4 ? broken : nodes.effects.applies(attempt.key().key());
      endings.add(() -> ending(attempt, effect));
    }

    List<Object> results = nodes.atOnce(endings);

    for (int i = 0; i < 9; i++) {
      if (i == 4) {
        assertThat(results.get(i)).isEqualTo(Outcome.NOT_DONE);
        assertThat(calls.lookup(attempts.get(i))).isInstanceOf(KeyState.InProgress.class);
      } else {
        assertThat(results.get(i)).isInstanceOf(Completed.class);
        assertThat(nodes.effects.isApplied(attempts.get(i).key().key())).isTrue();
      }
    }
  }

  /** Beside others it is written in a transaction, which must not be left open with theirs. */
  @ParameterizedTest
  @EnumSource(names = {"GIVING_ITS_VALUES", "GIVING_ANOTHER_TYPE"})
  void failsTheOthersOfItsTransaction(Breaks broken) {
    Attempt attempt = Attempt.atNewKey();
    calls.claimed(attempt);
    Effect beside = nodes.effects.applies(attempt.key().key());
    assertThatThrownBy(() -> calls.complete(attempt, StoreCalls.CREATED, beside, broken))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE));
    assertThat(calls.lookup(attempt)).isInstanceOf(KeyState.InProgress.class);

    Attempt next = Attempt.atNewKey();
    calls.claimed(next);
    String first = next.key().key() + " first";
    String second = next.key().key() + " second";
    calls.completed(next, nodes.effects.applies(first), nodes.effects.applies(second));

    assertThat(nodes.effects.isApplied(second)).isTrue();
    assertThat(nodes.effects.isApplied(attempt.key().key())).isFalse();
  }

  private static Future<Object> ending(Attempt attempt, Effect effect) {
    Future<CompleteResult> completing =
        store.complete(attempt.claim(), StoreCalls.CREATED, List.of(effect));
    return completing
        .<Object>map(it -> it)
        .recover(cause -> Future.succeededFuture(((StoreException) cause).outcome()));
  }
}
