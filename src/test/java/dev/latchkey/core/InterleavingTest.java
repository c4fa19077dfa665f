package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.CountingStore;
import dev.latchkey.store.memory.MemoryStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two event loops of one node in two real threads, in many orders of their steps. */
class InterleavingTest {

  /** One key and two nodes, one of them with two loops. Everything comes to its end afterwards. */
  abstract static class OneKey implements Interleavings.Scenario {
    final EngineFixture world = new EngineFixture(3);
    final EngineFixture.Node owner;
    final EngineFixture.Node node;
    final EngineFixture.Side side;
    final Operation pay = EngineFixture.operation("key", "pay 10");

    OneKey() {
      CountingStore store =
          new CountingStore(
              MemoryStore.create(
                  new MemoryBudget(1 << 20),
                  effects -> Optional.empty(),
                  () -> Instant.ofEpochMilli(world.nowMillis())));
      owner = world.newNode("owner", store);
      node = world.newNode("node", store);
      side = node.newSide();
    }

    void runToEnd() {
      world.passMillis(3 * EngineFixture.TERMS.runLimitMillis());
      assertThat(node.engine.running() + node.engine.parked()).isZero();
      assertThat(node.engine.node.table).isEmpty();
    }
  }

  /** One loop finds no waiter and drops a key of another node; the other parks a waiter. */
  static final class JoinAndDrop extends OneKey {
    private final EngineFixture.Client first = owner.send("first", pay, 30_000);
    private final EngineFixture.Client patient = node.client("patient", pay, 30_000);

    @Override
    public List<Runnable> tasks() {
      return List.of(() -> side.send("impatient", pay, 0), patient::send);
    }

    @Override
    public void check() {
      world.passMillis(100);
      first.complete("done");
      world.passMillis(1_000);
      assertThat(patient.read()).isEqualTo("done");
      runToEnd();
    }
  }

  /** The last waiter hangs up while the other loop parks one. */
  static final class JoinAndLeave extends OneKey {
    private final EngineFixture.Client first = owner.send("first", pay, 30_000);
    private final EngineFixture.Client leaving = side.send("leaving", pay, 30_000);
    private final EngineFixture.Client patient = node.client("patient", pay, 30_000);

    @Override
    public List<Runnable> tasks() {
      return List.of(() -> leaving.place.leave(), patient::send);
    }

    @Override
    public void check() {
      world.passMillis(100);
      first.complete("done");
      world.passMillis(1_000);
      assertThat(patient.read()).isEqualTo("done");
      runToEnd();
    }
  }

  /** A handler ends while the other loop handles a duplicate. */
  static final class JoinAndComplete extends OneKey {
    private final EngineFixture.Client first = side.send("first", pay, 30_000);
    private final EngineFixture.Client duplicate = node.client("duplicate", pay, 30_000);

    @Override
    public List<Runnable> tasks() {
      return List.of(() -> first.complete("done"), duplicate::send);
    }

    @Override
    public void check() {
      world.passMillis(1_000);
      assertThat(first.read()).isEqualTo("done");
      assertThat(duplicate.read()).isEqualTo("done");
      runToEnd();
    }
  }

  /** Two loops handle the first two requests of a key. */
  static final class TwoArrivals extends OneKey {
    private final EngineFixture.Client one = node.client("one", pay, 30_000);
    private final EngineFixture.Client two = side.client("two", pay, 30_000);

    @Override
    public List<Runnable> tasks() {
      return List.of(one::send, two::send);
    }

    @Override
    public void check() {
      world.passMillis(100);
      assertThat(one.runs()).isNotEqualTo(two.runs());
      (one.runs() ? one : two).complete("done");
      world.passMillis(1_000);
      assertThat(List.of(one.read(), two.read())).containsOnly("done");
      runToEnd();
    }
  }

  /** The node begins to drain while a request arrives. */
  static final class ArriveAndDrain extends OneKey {
    private final EngineFixture.Client late = node.client("late", pay, 30_000);
    private boolean drained;

    @Override
    public List<Runnable> tasks() {
      return List.of(() -> node.engine.drain().onSuccess(done -> drained = true), late::send);
    }

    @Override
    public void check() {
      assertThat(drained && late.runs() && !late.isAnswered()).isFalse();
      if (late.runs()) {
        late.complete("done");
      }
      world.passMillis(1_000);
      assertThat(late.isAnswered() && drained).isTrue();
      runToEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        JoinAndDrop.class,
        JoinAndLeave.class,
        JoinAndComplete.class,
        TwoArrivals.class,
        ArriveAndDrain.class
      })
  void everyOrderOfStepsIsServed(Class<? extends Interleavings.Scenario> scenario)
      throws Exception {
    assertThat(Interleavings.explore(scenario)).isGreaterThan(100);
  }
}
