package dev.latchkey.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parked requests of one event loop. Confined to that loop: a plain map, no locks. Each waiter
 * holds its own deadline and nothing else; all wake on the news of their entry.
 */
public final class Lot {

  /** How many waiters are answered before the loop gets a chance to do something else. */
  private static final int BATCH = 256;

  private final ControlFlow flow;
  private final Node node;
  private final Loop loop;
  private final Map<Entry, List<Waiter>> parked = new HashMap<>();

  Lot(ControlFlow flow, Node node, Loop loop) {
    this.flow = flow;
    this.node = node;
    this.loop = loop;
  }

  Loop loop() {
    return loop;
  }

  /** Parks a caller that has joined the entry. */
  void park(Entry entry, Caller caller) {
    Waiter waiter = new Waiter(entry, caller, node.surroundings.nowNanos());
    List<Waiter> waiters = parked.computeIfAbsent(entry, key -> new ArrayList<>(1));
    waiter.place(waiters.size());
    waiters.add(waiter);
    node.waiting.incrementAndGet();
    if (caller.waitMillis() == 0) {
      waiter.overdue();
    } else {
      waiter.deadline(loop.after(caller.waitMillis(), () -> outOfPatience(waiter)));
    }
    caller.parked(() -> leave(waiter), entry.isFor(caller.operation().fingerprint()));
  }

  /**
   * Acts on news about a key. Called on this lot's loop.
   *
   * @param news what happened
   */
  public void hear(News news) {
    List<Waiter> waiters = parked.get(news.entry());
    if (waiters == null) {
      return;
    }
    if (news instanceof News.Settled settled) {
      parked.remove(settled.entry());
      settle(settled, waiters);
    } else if (news instanceof News.Decided decided) {
      decide(decided.entry(), waiters);
    } else if (news instanceof News.Offered offered) {
      takeOffer(offered.entry(), waiters);
    } else if (news instanceof News.Expelled expelled) {
      for (Waiter waiter : List.copyOf(waiters)) {
        answer(waiter, expelled.verdict());
      }
    }
  }

  private void settle(News.Settled settled, List<Waiter> waiters) {
    int rest = Math.max(0, waiters.size() - BATCH);
    for (Waiter waiter : waiters.subList(rest, waiters.size())) {
      if (waiter.isGone()) {
        continue;
      }
      waiter.cancelDeadline();
      Caller caller = waiter.caller();
      Optional<Verdict> verdict =
          settled
              .settlement()
              .forWaiter(
                  settled.entry().operation().fingerprint(), caller.operation().fingerprint());
      long parkedNanos = node.surroundings.nowNanos() - waiter.parkedAtNanos();
      unparked(waiter);
      if (verdict.isPresent()) {
        caller.answer(verdict.get());
        node.listener.woken(node.surroundings.nowNanos() - settled.atNanos());
      } else {
        flow.arrive(this, Returner.of(caller, parkedNanos));
      }
    }
    waiters.subList(rest, waiters.size()).clear();
    if (!waiters.isEmpty()) {
      loop.later(() -> settle(settled, waiters));
    }
  }

  private void decide(Entry entry, List<Waiter> waiters) {
    for (Waiter waiter : List.copyOf(waiters)) {
      if (!entry.isFor(waiter.caller().operation().fingerprint())) {
        answer(waiter, flow.reused(entry));
      } else if (waiter.isOverdue()) {
        answer(waiter, flow.inProgress(entry));
      }
    }
  }

  private void takeOffer(Entry entry, List<Waiter> waiters) {
    for (Waiter waiter : waiters) {
      if (entry.isFor(waiter.caller().operation().fingerprint())) {
        entry
            .takeOffer()
            .ifPresent(
                offer -> {
                  remove(waiter);
                  Runner runner = new Runner(this, waiter.caller());
                  offer.attempt().runner(runner);
                  runner.run(offer.attempt(), offer.body());
                });
        return;
      }
    }
  }

  private void outOfPatience(Waiter waiter) {
    if (waiter.entry().isDecided()) {
      answer(waiter, flow.inProgress(waiter.entry()));
    } else {
      waiter.overdue();
    }
  }

  private void answer(Waiter waiter, Verdict verdict) {
    leave(waiter);
    waiter.caller().answer(verdict);
  }

  /** Takes a waiter out, and drops what is no longer wanted without it. */
  private boolean leave(Waiter waiter) {
    if (waiter.isGone()) {
      return false;
    }
    flow.unwanted(waiter.entry(), remove(waiter));
    return true;
  }

  private Entry.Left remove(Waiter waiter) {
    waiter.cancelDeadline();
    List<Waiter> waiters = parked.get(waiter.entry());
    if (waiters != null) {
      Waiter last = waiters.remove(waiters.size() - 1);
      if (last != waiter) {
        waiters.set(waiter.place(), last);
        last.place(waiter.place());
      }
      if (waiters.isEmpty()) {
        parked.remove(waiter.entry());
      }
    }
    return unparked(waiter);
  }

  private Entry.Left unparked(Waiter waiter) {
    waiter.gone();
    node.listener.unparked(node.surroundings.nowNanos() - waiter.parkedAtNanos());
    Entry.Left left = waiter.entry().left();
    node.waiting.decrementAndGet();
    node.checkDrained();
    return left;
  }
}
