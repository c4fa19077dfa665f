package dev.latchkey.core;

import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Handler;
import java.util.SplittableRandom;

/**
 * One process's subscription: notifications come late, twice, in another order or never. A loss is
 * reported as a gap some time later.
 */
final class SimNotifications {

  private final SimWorld world;
  private final SimStoreFaults weather;
  private final SimProcess process;
  private Handler<Notification> subscriber = notice -> {};
  private boolean missedSomething;
  private boolean deaf;

  SimNotifications(SimWorld world, SimStoreFaults weather, SimProcess process) {
    this.world = world;
    this.weather = weather;
    this.process = process;
  }

  void subscriber(Handler<Notification> handler) {
    subscriber = handler;
  }

  /** A watched key was settled. */
  void settled(ScopedKey key) {
    String name = weather.next(process.name + " notice " + key.key());
    SplittableRandom dice = world.dice(name + " how");
    if (deaf || world.fault(name + " is lost", weather.lostNotice())) {
      world.tell(() -> "store: the notice of " + key.key() + " to " + process.name + " is lost");
      if (world.fault(name + " is lost for good", 0.3)) {
        // Only the end of the lease wakes its waiters.
        process.trouble(weather.plan.terms().leaseMillis() * SimWorld.MILLI);
      } else {
        missed(dice.nextLong(1, 20_000));
      }
      return;
    }
    int copies = world.fault(name + " comes twice", weather.lostNotice() / 2) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      long delay = weather.delayNanos(name + " is late " + i, dice);
      process.trouble(delay);
      deliver(new Notification.Settled(key), delay);
    }
  }

  /** A dead connection that looks alive for a while. */
  void goDeaf(long millis) {
    world.tell(() -> process.name + " hears nothing from the store for " + millis + " ms");
    deaf = true;
    world.after(SimWorld.NATURE, millis * SimWorld.MILLI, () -> deaf = false);
    missed(millis);
  }

  /** A lost notification is detected after a while. */
  void missed(long laterMillis) {
    missedSomething = true;
    process.trouble(laterMillis * SimWorld.MILLI);
    world.after(SimWorld.NATURE, laterMillis * SimWorld.MILLI, this::gap);
  }

  private void gap() {
    if (missedSomething && !deaf) {
      missedSomething = false;
      world.tell(() -> "store: tells " + process.name + " of a gap");
      deliver(new Notification.Gap(), SimWorld.MILLI);
    }
  }

  private void deliver(Notification notice, long delayNanos) {
    world.after(process, delayNanos, () -> subscriber.handle(notice));
  }
}
