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

/** What other event loops do in the midst of a step of the control flow. */
class FlowRaceTest {

  private final World world = new World(11);
  private final CountingStore store =
      new CountingStore(
          MemoryStore.create(
              new MemoryBudget(1 << 20),
              effects -> Optional.empty(),
              () -> Instant.ofEpochMilli(world.nowMillis())));
  private final World.Node dead = world.newNode("dead", store);
  private final Operation pay = World.operation("key", "pay 10");
  private Runnable amidTheTakeover = () -> {};
  private final World.Node node =
      world.newNode(
          "N",
          store,
          new IdempotencyListener() {
            @Override
            public void tookOver() {
              amidTheTakeover.run();
            }
          });

  /** A waiter's takeover is under way, and comes through when the held claim is released. */
  private World.Client takingOver() {
    dead.send("owner", pay, 30_000);
    dead.pause();
    World.Client waiter = node.send("waiter", pay, 60_000);
    store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
    world.passMillis(World.TERMS.leaseMillis() + 10);
    assertThat(store.held()).isEqualTo(1);
    return waiter;
  }

  @Test
  void aClaimGrantedAsTheLastWaiterLeavesIsGivenBackOnce() {
    World.Client waiter = takingOver();
    amidTheTakeover = () -> waiter.place.leave();
    store.releaseHeld();
    world.passMillis(100);
    assertThat(store.calls(StoreOperation.RELEASE)).isEqualTo(1);
    assertThat(node.flow.running()).isZero();
  }

  @Test
  void aWaiterWhoseLoopHasHeardOfTheOfferTakesItWhenTheOthersLeave() {
    World.Side side = node.newSide();
    node.newsMillis = 100;
    World.Client waiter = takingOver();
    store.releaseHeld();
    world.passMillis(10);
    World.Client late = side.send("late", pay, 60_000);
    waiter.place.leave();
    world.passMillis(200);
    assertThat(late.runs()).as("%s", world.story).isTrue();
    late.complete("done");
    assertThat(late.read()).isEqualTo("done");
    assertThat(node.flow.running()).isZero();
  }

  @Test
  void aClaimThatNobodyHasTakenByItsRunLimitIsGivenBack() {
    long limitMillis = World.TERMS.runLimitMillis();
    node.newsMillis = 2 * limitMillis;
    dead.send("owner", pay, 30_000);
    dead.pause();
    World.Client waiter = node.send("waiter", pay, 10 * limitMillis);
    world.passMillis(World.TERMS.leaseMillis() + 2 * limitMillis - 1_000);
    assertThat(node.flow.running()).as("%s", world.story).isZero();
    world.passMillis(2 * limitMillis);
    assertThat(waiter.verdict).as("%s", world.story).isInstanceOf(Verdict.AttemptFailed.class);
  }

  @Test
  void aClaimThatIsOfferedWhenItsKeyIsSettledOtherwiseIsGivenBack() {
    World.Client waiter = takingOver();
    Verdict otherwise = new Verdict.AttemptFailed();
    amidTheTakeover =
        () -> {
          Entry entry = node.flow.node.table.get(pay.key());
          node.flow.node.settle(entry, Settlement.everybody(otherwise));
        };
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(waiter.verdict).as("%s", world.story).isEqualTo(otherwise);
    assertThat(waiter.runs()).isFalse();
    assertThat(node.flow.running()).isZero();
  }

  @Test
  void aClaimIsNotTakenWithoutTheBodyToRunWith() {
    List<Optional<?>> taken = new ArrayList<>();
    takingOver();
    amidTheTakeover =
        () -> {
          Entry entry = node.flow.node.table.get(pay.key());
          entry.end();
          taken.add(entry.takeOffer());
        };
    store.releaseHeld();
    assertThat(taken).containsExactly(Optional.empty());
  }

  @Test
  void aDrainLeavesAClaimAloneThatHasJustBeenGranted() {
    World.Client waiter = takingOver();
    amidTheTakeover = () -> node.flow.drain();
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(waiter.runs()).as("%s", world.story).isTrue();
    assertThat(waiter.ranWith.toString()).isEqualTo("request");
    waiter.complete("done");
    assertThat(node.flow.running()).isZero();
  }

  /** A caller of whom something is asked while the node begins to drain. */
  private record Overtaken(Caller caller, Runnable amid) implements ForwardingCaller {
    @Override
    public Operation operation() {
      amid.run();
      return caller.operation();
    }
  }

  @Test
  void aDrainIsNotOverWhileARequestBeginsThatItOvertook() {
    World.Client client = node.client("overtaken", pay);
    List<Future<Void>> drains = new ArrayList<>();
    node.flow.arrive(node.lot, new Overtaken(client, () -> drains.add(node.flow.drain())));
    assertThat(drains.get(0).isComplete() && client.runs()).as("%s", world.story).isFalse();
    assertThat(client.verdict).isInstanceOf(Verdict.ShuttingDown.class);
    assertThat(node.flow.running()).isZero();
  }

  @Test
  void aWaiterThatComesAsAnUnwantedClaimIsGrantedIsAnswered() {
    World.Client waiter = takingOver();
    waiter.place.leave();
    World.Client[] late = new World.Client[1];
    amidTheTakeover = () -> late[0] = node.send("late", pay, 60_000);
    store.releaseHeld();
    world.passMillis(1_000);
    assertThat(late[0].isAnswered()).as("%s", world.story).isTrue();
    assertThat(node.flow.running()).isZero();
  }
}
