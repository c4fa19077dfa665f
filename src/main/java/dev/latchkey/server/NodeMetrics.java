package dev.latchkey.server;

import dev.latchkey.idempotency.IdempotencyListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node does, as Prometheus metrics. Its meters are made after the start, or by the first who
 * wants to read them; what happens before that is kept and counted then. Safe for any thread.
 */
public final class NodeMetrics implements IdempotencyListener {

  /** As many events are kept, some 30 bytes each; whoever tells the next makes the meters. */
  static final int MOST_KEPT = 20_000;

  private final Object making = new Object();
  private final List<Consumer<IdempotencyListener>> kept = new ArrayList<>();
  private volatile @Nullable NodeMeters meters;
  private @Nullable IntSupplier parked;

  /** Without any meter. */
  public NodeMetrics() {}

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
  public void answered(Outcome outcome) {
    NodeMeters made = meters;
    if (made == null) {
      keep(later -> later.answered(outcome));
    } else {
      made.answered(outcome);
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
  public void tookOver() {
    NodeMeters made = meters;
    if (made == null) {
      keep(IdempotencyListener::tookOver);
    } else {
      made.tookOver();
    }
  }

  @Override
  public void lostLease() {
    NodeMeters made = meters;
    if (made == null) {
      keep(IdempotencyListener::lostLease);
    } else {
      made.lostLease();
    }
  }

  @Override
  public void displaced() {
    NodeMeters made = meters;
    if (made == null) {
      keep(IdempotencyListener::displaced);
    } else {
      made.displaced();
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
        return;
      }
    }
    event.accept(made());
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
      NodeMeters made = new NodeMeters();
      IntSupplier gauge = parked;
      if (gauge != null) {
        made.parked(gauge);
      }
      // Not while the meters are made: whoever tells of an event would wait for them.
      synchronized (kept) {
        kept.forEach(event -> event.accept(made));
        kept.clear();
        meters = made;
      }
      return made;
    }
  }
}
