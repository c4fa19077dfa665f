package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.CountingStore;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.store.memory.MemoryStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Races between event loops in the middle of an engine step. */
class EngineRaceTest {

  private final EngineFixture world = new EngineFixture(11);
  private final CountingStore store =
      new CountingStore(
          MemoryStore.create(
              new MemoryBudget(1 << 20),
              effects -> Optional.empty(),
              () -> Instant.ofEpochMilli(world.nowMillis())));
  private final EngineFixture.Node dead = world.newNode("dead", store);
  private final Operation pay = EngineFixture.operation("key", "pay 10");
  private Runnable amidTheTakeover = () -> {};
  private final EngineFixture.Node node =
      world.newNode(
          "N",
          store,
          new IdempotencyListener() {
            @Override
            public void takenOver() {
              amidTheTakeover.run();
            }
          });

  /** A waiter's takeover is pending until the held claim is released. */
  private EngineFixture.Client takingOver() {
    dead.send("owner", pay, 30_000);
    dead.pause();
    EngineFixture.Client waiter = node.send("waiter", pay, 60_000);
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 10);
    assertThat(store.held()).isEqualTo(1);
    return waiter;
  }

  @Test
  void claimGrantedAsTheLastWaiterLeavesIsReleasedOnce() {
    EngineFixture.Client waiter = takingOver();
    amidTheTakeover = () -> waiter.place.leave();
    store.releaseHeld();
    world.passMillis(100);
    assertThat(store.calls(StoreOperation.RELEASE)).isEqualTo(1);
    assertThat(node.engine.running()).isZero();
  }

  @Test
  void remainingWaiterTakesTheOfferWhenTheOthersLeave() {
    EngineFixture.Side side = node.newSide();
    node.newsMillis = 100;
    EngineFixture.Client waiter = takingOver();
    store.releaseHeld();
    world.passMillis(10);
    EngineFixture.Client late = side.send("late", pay, 60_000);
    waiter.place.leave();
    world.passMillis(200);
    assertThat(late.runs()).as("%s", world.story).isTrue();
    late.complete("done");
    assertThat(late.read()).isEqualTo("done");
    assertThat(node.engine.running()).isZero();
  }

  @Test
  void untakenOfferIsReleasedAtItsRunLimit() {
    long limitMillis = EngineFixture.TERMS.runLimitMillis();
    node.newsMillis = 2 * limitMillis;
    dead.send("owner", pay, 30_000);
    dead.pause();
    EngineFixture.Client waiter = node.send("waiter", pay, 10 * limitMillis);
    world.passMillis(EngineFixture.TERMS.leaseMillis() + 2 * limitMillis - 1_000);
    assertThat(node.engine.running()).as("%s", world.story).isZero();
    world.passMillis(2 * limitMillis);
    assertThat(waiter.verdict)
        .as("%s", world.story)
        .isInstanceOf(CallerResponse.AttemptFailed.class);
  }

  @Test
  void offeredClaimIsReleasedWhenItsEntryEnds() {
    EngineFixture.Client waiter = takingOver();
    CallerResponse otherwise = new CallerResponse.AttemptFailed();
    amidTheTakeover =
        () -> {
          KeyEntry entry = node.engine.node.table.get(pay.key());
          node.engine.node.settle(entry, EntryResult.everybody(otherwise));
        };
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(waiter.verdict).as("%s", world.story).isEqualTo(otherwise);
    assertThat(waiter.runs()).isFalse();
    assertThat(node.engine.running()).isZero();
  }

  @Test
  void offerWithoutABodyIsNotTaken() {
    List<Optional<?>> taken = new ArrayList<>();
    takingOver();
    amidTheTakeover =
        () -> {
          KeyEntry entry = node.engine.node.table.get(pay.key());
          entry.end();
          taken.add(entry.takeOffer());
        };
    store.releaseHeld();
    assertThat(taken).containsExactly(Optional.empty());
  }

  @Test
  void drainKeepsAClaimThatWasJustGranted() {
    EngineFixture.Client waiter = takingOver();
    amidTheTakeover = () -> node.engine.drain();
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(waiter.runs()).as("%s", world.story).isTrue();
    assertThat(waiter.ranWith.toString()).isEqualTo("request");
    waiter.complete("done");
    assertThat(node.engine.running()).isZero();
  }

  @Test
  void drainWaitsForARequestThatBeganBeforeIt() {
    EngineFixture.Client client = node.client("overtaken", pay, 0);
    List<Future<Void>> drains = new ArrayList<>();
    client.whenAsked = () -> drains.add(node.engine.drain());
    client.send();
    assertThat(drains.get(0).isComplete() && client.runs()).as("%s", world.story).isFalse();
    assertThat(client.verdict).isInstanceOf(CallerResponse.ShuttingDown.class);
    assertThat(node.engine.running()).isZero();
  }

  @Test
  void waiterThatParksAsAnUnwantedClaimIsGrantedGetsAResponse() {
    EngineFixture.Client waiter = takingOver();
    waiter.place.leave();
    EngineFixture.Client[] late = new EngineFixture.Client[1];
    amidTheTakeover = () -> late[0] = node.send("late", pay, 60_000);
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(late[0].isAnswered()).as("%s", world.story).isTrue();
    assertThat(node.engine.running()).isZero();
  }
}
