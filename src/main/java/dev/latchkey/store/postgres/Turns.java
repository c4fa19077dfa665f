package dev.latchkey.store.postgres;

import io.vertx.core.internal.ContextInternal;

/**
 * Whether statements of two kinds go beside each other. The fixed part of a statement is worth that
 * of ten calls in it, so a small batch waits for a large one of the other kind to end, and grows
 * meanwhile. It waits for a bounded time, since a large one may be stuck on a row that somebody has
 * locked. Confined to the event loop of both.
 */
final class Turns {

  /** A statement of so many calls goes beside another one: sharing it among more gains little. */
  static final int WORTH_ITS_OWN = 16;

  /** A statement of fewer calls is not waited for: with few callers it is latency that counts. */
  static final int WORTH_WAITING_FOR = 8;

  /** Longest wait, in milliseconds; a batch of 16 takes two when nothing is in its way. */
  static final long PATIENCE_MILLIS = 5;

  private final ContextInternal context;
  private final Side first;
  private final Side second;

  Turns(ContextInternal context) {
    this.context = context;
    first = new Side();
    second = new Side();
  }

  /** A side without a counterpart: it never waits. */
  static Side none(ContextInternal context) {
    return new Turns(context).first;
  }

  Side first() {
    return first;
  }

  Side second() {
    return second;
  }

  /** One of the two kinds of statements. */
  final class Side {

    private int underWay;
    private boolean holding;
    private boolean outOfPatience;
    private long timer;
    private Runnable pump = () -> {};

    /** Sets what sends the next statement, if one is to be sent; called when a wait is over. */
    void onTurn(Runnable pump) {
      this.pump = pump;
    }

    /** Whether so few calls, which could be sent now, wait for the other kind's statement. */
    boolean holds(int waiting) {
      if (waiting >= WORTH_ITS_OWN || outOfPatience || other().underWay < WORTH_WAITING_FOR) {
        return false;
      }
      if (!holding) {
        holding = true;
        timer = context.setTimer(PATIENCE_MILLIS, ignored -> impatient());
      }
      return true;
    }

    private void impatient() {
      holding = false;
      outOfPatience = true;
      pump.run();
    }

    /** A statement of so many calls was sent. */
    void began(int calls) {
      underWay = calls;
      outOfPatience = false;
      if (holding) {
        holding = false;
        context.owner().cancelTimer(timer);
      }
    }

    /** Its outcome is known. */
    void ended() {
      underWay = 0;
    }

    /** What was to be sent of this kind was sent; what waited for it may go, if it may. */
    void passOn() {
      if (other().holding) {
        other().pump.run();
      }
    }

    private Side other() {
      return this == first ? second : first;
    }
  }
}
