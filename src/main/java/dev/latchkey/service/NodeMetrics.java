package dev.latchkey.service;

import dev.latchkey.core.IdempotencyListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node does, as Prometheus metrics. Its meters are made after the start, or by the first who
 * wants to read them, or as soon as much has happened; what happens before that is kept and counted
 * then. Safe for any thread.
 */
public final class NodeMetrics implements IdempotencyListener {

  /** So many events are kept, some 30 bytes each, before a thread is started to make the meters. */
  static final int MANY_KEPT = 10_000;

  /** So many are kept meanwhile; whoever tells the next waits for the meters. */
  static final int MOST_KEPT = 200_000;

  /** So few are counted while others wait. */
  private static final int FEW_KEPT = 1_000;

  private final Supplier<NodeMeters> maker;
  private final Object making = new Object();
  private final List<Consumer<IdempotencyListener>> kept = new ArrayList<>();
  private volatile @Nullable NodeMeters meters;
  private boolean makingBeside;
  private @Nullable IntSupplier parked;

  /** Without any meter. */
  public NodeMetrics() {
    // Not by a reference to the constructor, which would load the class and what it is made of.
    this(() -> new NodeMeters());
  }

  NodeMetrics(Supplier<NodeMeters> maker) {
    this.maker = maker;
  }

  /**
   * Adds the number of parked requests; once, before the service takes requests.
   *
   * @param parked tells it now, on any thread
   */
  public void parked(IntSupplier parked) {
    synchronized (making) {
      this.parked = parked;
      NodeMeters made = meters;
      if (made != null) {
        made.parked(parked);
      }
    }
  }

  /** Makes the meters unless they are there. May take long; not for an event loop. */
  void make() {
    made();
  }

  /**
   * Renders all metrics in the Prometheus text format. May take long; not for an event loop.
   *
   * @return the text
   */
  public String scrape() {
    return made().scrape();
  }

  @Override
  public void responded(Outcome outcome) {
    NodeMeters made = meters;
    if (made == null) {
      keep(later -> later.responded(outcome));
    } else {
      made.responded(outcome);
    }
  }

  @Override
  public void unparked(long parkedNanos) {
    NodeMeters made = meters;
    if (made == null) {
      keep(later -> later.unparked(parkedNanos));
    } else {
      made.unparked(parkedNanos);
    }
  }

  @Override
  public void woken(long wakeNanos) {
    NodeMeters made = meters;
    if (made == null) {
      keep(later -> later.woken(wakeNanos));
    } else {
      made.woken(wakeNanos);
    }
  }

  @Override
  public void takenOver() {
    NodeMeters made = meters;
    if (made == null) {
      keep(IdempotencyListener::takenOver);
    } else {
      made.takenOver();
    }
  }

  @Override
  public void leaseLost() {
    NodeMeters made = meters;
    if (made == null) {
      keep(IdempotencyListener::leaseLost);
    } else {
      made.leaseLost();
    }
  }

  @Override
  public void resultDiscarded() {
    NodeMeters made = meters;
    if (made == null) {
      keep(IdempotencyListener::resultDiscarded);
    } else {
      made.resultDiscarded();
    }
  }

  @Override
  public void storeCalled(String operation, long nanos) {
    NodeMeters made = meters;
    if (made == null) {
      keep(later -> later.storeCalled(operation, nanos));
    } else {
      made.storeCalled(operation, nanos);
    }
  }

  private void keep(Consumer<IdempotencyListener> event) {
    synchronized (kept) {
      if (meters == null && kept.size() < MOST_KEPT) {
        kept.add(event);
        if (kept.size() == MANY_KEPT && !makingBeside) {
          makingBeside = true;
          makeBeside();
        }
        return;
      }
    }
    event.accept(made());
  }

  /** By a thread of its own: whoever tells of events may be an event loop. */
  private void makeBeside() {
    Thread beside = new Thread(this::make, "latchkey-meters");
    beside.setDaemon(true);
    beside.start();
  }

  private NodeMeters made() {
    NodeMeters there = meters;
    if (there != null) {
      return there;
    }
    synchronized (making) {
      NodeMeters first = meters;
      if (first != null) {
        return first;
      }
      NodeMeters made = maker.get();
      IntSupplier gauge = parked;
      if (gauge != null) {
        made.parked(gauge);
      }
      count(made);
      return made;
    }
  }

  /** Counts what was kept, a part at a time: whoever tells of an event waits for the last alone. */
  private void count(NodeMeters made) {
    List<Consumer<IdempotencyListener>> part = List.of();
    while (meters == null) {
      part.forEach(event -> event.accept(made));
      synchronized (kept) {
        part = List.copyOf(kept);
        kept.clear();
        if (part.size() <= FEW_KEPT) {
          part.forEach(event -> event.accept(made));
          meters = made;
        }
      }
    }
  }
}
