package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The engine over a clock, timers and an event bus that the test drives. */
class IdempotencyEngineTest {

  private record Payment(String name) implements Effect {}

  private final EngineFixture world = new EngineFixture(1);
  private final List<Effect> payments = new ArrayList<>();
  private final MemoryStore store =
      MemoryStore.create(
          new MemoryBudget(1 << 20),
          effects -> {
            payments.addAll(effects);
            return Optional.empty();
          },
          () -> Instant.ofEpochMilli(world.nowMillis()));
  private final AtomicInteger lostLeases = new AtomicInteger();
  private final EngineFixture.Node a =
      world.newNode(
          "A",
          store,
          new IdempotencyListener() {
            @Override
            public void leaseLost() {
              lostLeases.incrementAndGet();
            }
          });
  private final EngineFixture.Node b = world.newNode("B", store);
  private final Operation pay = EngineFixture.operation("key", "pay 10");

  @Test
  void pausedOwnerIsTakenOverAndGetsTheNewOwnersResponse() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    assertThat(first.runs()).isTrue();
    EngineFixture.Client duplicate = b.send("duplicate", pay, 30_000);
    world.passMillis(100);
    assertThat(duplicate.runs()).isFalse();

    a.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis() - 200);
    assertThat(duplicate.runs()).as("the lease is not over yet").isFalse();
    world.passMillis(1_100);
    assertThat(duplicate.runs()).as("taken over within a second of the lease's end").isTrue();
    duplicate.complete("B's answer", new Payment("B"));

    a.resume();
    first.complete("A's answer", new Payment("A"));
    world.passMillis(1_000);

    assertThat(payments).containsExactly(new Payment("B"));
    assertThat(duplicate.read()).isEqualTo("B's answer");
    assertThat(first.read()).isEqualTo("B's answer");
    assertThat(first.answers).isEqualTo(1);
    assertThat(lostLeases).as("lost to a renewal, lost to the end, told once").hasValue(1);
    atRest();
  }

  @Test
  void supersededOwnerWaitsForTheNewOwner() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    a.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis());
    EngineFixture.Client second = b.send("second", pay, 30_000);
    assertThat(second.runs()).isTrue();
    a.resume();
    first.complete("A's answer", new Payment("A"));
    world.passMillis(10);
    assertThat(first.isAnswered()).as("B still runs").isFalse();

    second.complete("B's answer", new Payment("B"));
    world.passMillis(10);
    assertThat(first.read()).isEqualTo("B's answer");
    assertThat(payments).containsExactly(new Payment("B"));
    atRest();
  }

  @Test
  void supersededOwnerCompletesWhenTheNewOwnerIsLostToo() {
    EngineFixture.Client first = a.send("first", pay, 60_000);
    a.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis());
    EngineFixture.Client second = b.send("second", pay, 30_000);
    a.resume();
    first.complete("A's answer", new Payment("A"));
    world.passMillis(10);
    b.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 1_000);
    assertThat(first.read()).isEqualTo("A's answer");

    b.resume();
    second.complete("B's answer", new Payment("B"));
    world.passMillis(10);
    assertThat(second.read()).isEqualTo("A's answer");
    assertThat(payments).containsExactly(new Payment("A"));
    atRest();
  }

  @Test
  void otherRequestIsRefusedInEveryStateOfTheKey() {
    Operation other = EngineFixture.operation("key", "pay 20");
    EngineFixture.Client first = a.send("first", pay, 30_000);
    assertThat(a.send("other", other, 30_000).verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(b.send("other", other, 30_000).verdict).isInstanceOf(CallerResponse.KeyReused.class);
    a.pause();
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 1);
    assertThat(b.send("after the lease", other, 30_000).verdict)
        .isInstanceOf(CallerResponse.KeyReused.class);
    a.resume();
    first.fail("503");
    world.passMillis(10);
    assertThat(first.read()).isEqualTo("503");
    assertThat(a.send("released", other, 30_000).verdict)
        .isInstanceOf(CallerResponse.KeyReused.class);
    EngineFixture.Client again = b.send("again", pay, 30_000);
    assertThat(again.runs()).isTrue();
    again.complete("done", new Payment("B"));
    assertThat(a.send("completed", other, 0).verdict).isInstanceOf(CallerResponse.KeyReused.class);
    assertThat(b.send("completed", other, 0).verdict).isInstanceOf(CallerResponse.KeyReused.class);
    world.passMillis(10);
    atRest();
  }

  @Test
  void waitersOnEveryNodeLearnThatTheAttemptWasReleased() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client here = a.send("here", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 30_000);
    world.passMillis(10);
    first.fail("psp is away");
    world.passMillis(1_000);

    assertThat(here.verdict).isInstanceOf(CallerResponse.SharedResponse.class);
    assertThat(there.verdict).isInstanceOf(CallerResponse.AttemptFailed.class);
    assertThat(there.runs()).as("nobody runs on its behalf").isFalse();
    atRest();
  }

  @Test
  void renewedLeaseIsNotTakenOver() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 120_000);
    world.passMillis(6 * EngineFixture.TERMS.leaseMillis());
    assertThat(there.runs()).isFalse();
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(there.read()).isEqualTo("done");
    atRest();
  }

  @Test
  void callerGetsAResponseAtTheRunLimitAndTheKeyContinues() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    world.passMillis(EngineFixture.TERMS.runLimitMillis() + 500);
    assertThat(first.verdict).isInstanceOf(CallerResponse.RunLimitExceeded.class);
    EngineFixture.Client retry = a.send("retry", pay, 60_000);
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 1_000);
    assertThat(retry.runs()).isTrue();
    first.complete("late", new Payment("late"));
    retry.complete("retried", new Payment("retried"));
    world.passMillis(1_000);
    assertThat(retry.read()).isEqualTo("retried");
    assertThat(first.answers).isEqualTo(1);
    assertThat(payments).containsExactly(new Payment("retried"));
    atRest();
  }

  @Test
  void keyOfAnAttemptThatTimedOutIsFreeOnlyAfterItsLease() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    world.passMillis(1_000);
    first.attempt.passRunLimit();
    assertThat(first.verdict).isInstanceOf(CallerResponse.RunLimitExceeded.class);
    EngineFixture.Client retry = a.send("retry", pay, 60_000);
    world.passMillis(EngineFixture.TERMS.leaseMillis() - 1_010);
    assertThat(retry.runs()).as("its handler may still run").isFalse();
    world.passMillis(1_000);
    assertThat(retry.runs()).isTrue();
    first.fail("the handler has ended");
    retry.complete("retried", new Payment("retried"));
    world.passMillis(1_000);
    assertThat(retry.read()).isEqualTo("retried");
    assertThat(first.answers).isEqualTo(1);
    atRest();
  }

  @Test
  void waiterPastItsDeadlineDoesNotDisturbTheOwner() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client hasty = a.send("hasty", pay, 0);
    EngineFixture.Client patient = b.send("patient", pay, 2_000);
    assertThat(hasty.verdict).isInstanceOf(CallerResponse.InProgress.class);
    world.passMillis(2_000);
    assertThat(patient.verdict).isInstanceOf(CallerResponse.InProgress.class);
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(first.read()).isEqualTo("done");
    atRest();
  }

  @Test
  void drainFinishesAttemptsAndRespondsToWaitersForOtherNodes() {
    EngineFixture.Client first = a.send("first", pay, 30_000);
    EngineFixture.Client here = a.send("here", pay, 30_000);
    EngineFixture.Client there = b.send("there", pay, 30_000);
    world.passMillis(10);
    var drainedB = b.engine.drain();
    var drainedA = a.engine.drain();
    world.passMillis(10);
    assertThat(there.verdict).isInstanceOf(CallerResponse.ShuttingDown.class);
    assertThat(drainedB.isComplete()).isTrue();
    assertThat(drainedA.isComplete()).isFalse();
    assertThat(a.send("late", EngineFixture.operation("other", "pay 1"), 0).verdict)
        .isInstanceOf(CallerResponse.ShuttingDown.class);
    first.complete("done", new Payment("A"));
    world.passMillis(10);
    assertThat(here.read()).isEqualTo("done");
    assertThat(drainedA.isComplete()).isTrue();
    atRest();
  }

  /** No attempt and no waiter may be left on any node. */
  private void atRest() {
    world.passMillis(10 * EngineFixture.TERMS.leaseMillis());
    for (EngineFixture.Node node : List.of(a, b)) {
      assertThat(node.engine.running()).as("%s runs, %s", node.name, world.story).isZero();
      assertThat(node.engine.parked()).as("%s parks, %s", node.name, world.story).isZero();
      assertThat(node.engine.node.table).as("%s, %s", node.name, world.story).isEmpty();
    }
  }
}
