package dev.latchkey.store.postgres.batch;

import io.vertx.core.internal.ContextInternal;

/**
 * Decides whether statements of two kinds run concurrently. The fixed cost of a statement equals
 * that of ten calls in it, so a small batch waits until a large one of the other kind ends, and
 * grows meanwhile. The wait is limited, since the large one may be waiting for a locked row. With
 * 32 clients, throughput is about a fifth higher than without. Confined to one event loop.
 */
public final class TurnTaking {

  /** A batch of this size does not wait: sharing the statement among more calls gains little. */
  static final int MIN_CONCURRENT = 16;

  /** A smaller statement is not waited for: with few clients, latency counts. */
  public static final int MIN_AWAITED = 8;

  /** Maximum wait; a batch of 16 takes 2 ms if nothing blocks it. */
  static final long MAX_WAIT_MILLIS = 5;

  private final ContextInternal context;
  private final Turn first = new Turn();
  private final Turn second = new Turn();

  /** Makes the turns of two kinds of statements. */
  public TurnTaking(ContextInternal context) {
    this.context = context;
  }

  /** Returns the turn of a kind without a counterpart; it never waits. */
  public static Turn single(ContextInternal context) {
    return new TurnTaking(context).first;
  }

  /** Returns the turn of one kind. */
  public Turn first() {
    return first;
  }

  /** Returns the turn of the other kind. */
  public Turn second() {
    return second;
  }

  /** The turn of one of the two kinds. */
  public final class Turn {

    private int underWay;
    private boolean waiting;
    private boolean waitedEnough;
    private long timer;
    private Runnable sender = () -> {};

    /** Sets what sends the next statement, if there is one; called when a wait ends. */
    void onTurn(Runnable sender) {
      this.sender = sender;
    }

    /** Returns whether this many calls, which could be sent now, wait for the other kind. */
    boolean waits(int calls) {
      if (calls >= MIN_CONCURRENT || waitedEnough || other().underWay < MIN_AWAITED) {
        return false;
      }
      if (!waiting) {
        waiting = true;
        timer = context.setTimer(MAX_WAIT_MILLIS, ignored -> endWait());
      }
      return true;
    }

    private void endWait() {
      waiting = false;
      waitedEnough = true;
      sender.run();
    }

    /** A statement of this many calls was sent. */
    void began(int calls) {
      underWay = calls;
      waitedEnough = false;
      if (waiting) {
        waiting = false;
        context.owner().cancelTimer(timer);
      }
    }

    /** The outcome of the statement is known. */
    void ended() {
      underWay = 0;
    }

    /** The next statement of this kind was sent, if there is one; now the other kind may send. */
    void passOn() {
      if (other().waiting) {
        other().sender.run();
      }
    }

    private Turn other() {
      return this == first ? second : first;
    }
  }
}
