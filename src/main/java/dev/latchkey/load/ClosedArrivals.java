package dev.latchkey.load;

import java.util.OptionalLong;

/** The closed loop: an operation is due whenever there is room, until number or time are up. */
final class ClosedArrivals implements Arrivals {
  private final int keys;
  private final long beganNanos;
  private final OptionalLong durationNanos;
  private int taken;

  ClosedArrivals(int keys, long beganNanos, OptionalLong durationNanos) {
    this.keys = keys;
    this.beganNanos = beganNanos;
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
    return taken == keys
        || (durationNanos.isPresent() && nowNanos - beganNanos >= durationNanos.getAsLong());
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
