package dev.latchkey.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parked callers of one event loop. Confined to that loop: a plain map without locks. A waiter
 * has a timer for its deadline and nothing else; the events of its entry wake it.
 */
public final class ParkingLot {

  /** Number of responses before the loop may run other tasks. */
  private static final int BATCH = 256;

  private final IdempotencyEngine engine;
  private final NodeState node;
  private final EventLoop loop;
  private final Map<KeyEntry, List<Waiter>> parked = new HashMap<>();

  ParkingLot(IdempotencyEngine engine, NodeState node, EventLoop loop) {
    this.engine = engine;
    this.node = node;
    this.loop = loop;
  }

  EventLoop loop() {
    return loop;
  }

  /** Parks a caller that joined an entry. */
  void park(KeyEntry entry, Request request) {
    Waiter waiter = new Waiter(entry, request, node.environment.nowNanos());
    List<Waiter> waiters = parked.computeIfAbsent(entry, key -> new ArrayList<>(1));
    waiter.index = waiters.size();
    waiters.add(waiter);
    node.waiting.incrementAndGet();
    if (waiter.waitMillis == 0) {
      waiter.overdue = true;
    } else {
      waiter.deadline = loop.after(waiter.waitMillis, () -> waitEnded(waiter));
    }
    waiter.caller.parked(() -> leave(waiter), waiter.isFor(entry));
  }

  /**
   * Handles an event. Called on this parking lot's event loop.
   *
   * @param event a change of an entry
   */
  public void onEvent(EntryEvent event) {
    List<Waiter> waiters = parked.get(event.entry());
    if (waiters == null) {
      return;
    }
    if (event instanceof EntryEvent.Settled settled) {
      parked.remove(settled.entry());
      settle(settled, waiters);
    } else if (event instanceof EntryEvent.Decided decided) {
      decide(decided.entry(), waiters);
    } else if (event instanceof EntryEvent.Offered offered) {
      takeOffer(offered.entry(), waiters);
    } else if (event instanceof EntryEvent.Expelled expelled) {
      for (Waiter waiter : List.copyOf(waiters)) {
        respond(waiter, expelled.response());
      }
    }
  }

  private void settle(EntryEvent.Settled settled, List<Waiter> waiters) {
    int rest = Math.max(0, waiters.size() - BATCH);
    for (Waiter waiter : waiters.subList(rest, waiters.size())) {
      if (waiter.gone) {
        continue;
      }
      waiter.deadline.cancel();
      Optional<CallerResponse> response =
          settled
              .result()
              .forWaiter(
                  settled.entry().operation().fingerprint(), waiter.operation().fingerprint());
      unparked(waiter);
      if (response.isPresent()) {
        waiter.respondHere(response.get());
        node.listener.woken(node.environment.nowNanos() - settled.atNanos());
      } else {
        arriveAgain(waiter);
      }
    }
    waiters.subList(rest, waiters.size()).clear();
    if (!waiters.isEmpty()) {
      loop.later(() -> settle(settled, waiters));
    }
  }

  private void arriveAgain(Waiter waiter) {
    long parkedNanos = node.environment.nowNanos() - waiter.parkedAtNanos;
    engine.arrive(waiter.again(waiter.waitMillis - parkedNanos / 1_000_000L));
  }

  private void decide(KeyEntry entry, List<Waiter> waiters) {
    for (Waiter waiter : List.copyOf(waiters)) {
      if (!waiter.isFor(entry) && entry.mayBeFree(node.environment.nowNanos())) {
        // The grant was received after its lease and the key's retention.
        leave(waiter);
        arriveAgain(waiter);
      } else if (!waiter.isFor(entry)) {
        respond(waiter, engine.reused(entry));
      } else if (waiter.overdue) {
        respond(waiter, engine.inProgress(entry));
      }
    }
  }

  private void takeOffer(KeyEntry entry, List<Waiter> waiters) {
    for (Waiter waiter : waiters) {
      if (waiter.isFor(entry)) {
        entry
            .takeOffer()
            .ifPresent(
                offer -> {
                  remove(waiter);
                  offer.attempt().owner(waiter);
                  waiter.run(offer.attempt(), offer.body());
                });
        return;
      }
    }
  }

  private void waitEnded(Waiter waiter) {
    if (waiter.entry.isDecided()) {
      respond(waiter, engine.inProgress(waiter.entry));
    } else {
      waiter.overdue = true;
    }
  }

  private void respond(Waiter waiter, CallerResponse response) {
    leave(waiter);
    waiter.respondHere(response);
  }

  /** Removes a waiter and cleans up its entry. */
  private boolean leave(Waiter waiter) {
    if (waiter.gone) {
      return false;
    }
    engine.unwanted(waiter.entry, remove(waiter));
    return true;
  }

  private LeaveResult remove(Waiter waiter) {
    waiter.deadline.cancel();
    List<Waiter> waiters = parked.get(waiter.entry);
    if (waiters != null) {
      Waiter last = waiters.remove(waiters.size() - 1);
      if (last != waiter) {
        waiters.set(waiter.index, last);
        last.index = waiter.index;
      }
      if (waiters.isEmpty()) {
        parked.remove(waiter.entry);
      }
    }
    return unparked(waiter);
  }

  private LeaveResult unparked(Waiter waiter) {
    waiter.gone = true;
    node.listener.unparked(node.environment.nowNanos() - waiter.parkedAtNanos);
    LeaveResult left = waiter.entry.left();
    node.waiting.decrementAndGet();
    node.checkDrained();
    return left;
  }
}
