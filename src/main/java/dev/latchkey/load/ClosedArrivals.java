package dev.latchkey.load;

import java.util.OptionalLong;

/**
 * The closed loop: an operation is due whenever there is room, until the number of keys or the
 * duration is reached. At least one is due, because an empty run proves nothing.
 */
final class ClosedArrivals implements Arrivals {
  private final int keys;
  private final long startNanos;
  private final OptionalLong durationNanos;
  private int taken;

  ClosedArrivals(int keys, long startNanos, OptionalLong durationNanos) {
    this.keys = keys;
    this.startNanos = startNanos;
    this.durationNanos = durationNanos;
  }

  @Override
  public OptionalLong next(long nowNanos) {
    if (over(nowNanos)) {
      return OptionalLong.empty();
    }
    taken++;
    return OptionalLong.of(nowNanos);
  }

  @Override
  public boolean over(long nowNanos) {
    boolean late = durationNanos.isPresent() && nowNanos - startNanos >= durationNanos.getAsLong();
    return taken == keys || (late && taken > 0);
  }

  @Override
  public long abandon() {
    return durationNanos.isPresent() ? 0 : keys - taken;
  }

  @Override
  public long notStarted() {
    return 0;
  }
}
