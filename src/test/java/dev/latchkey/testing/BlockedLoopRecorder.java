package dev.latchkey.testing;

import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.threadchecker.BlockedThreadEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Remembers event loops that this project's code has blocked. A block counts once so many checks in
 * a row have seen it with a frame of ours on the stack, however long it took by the clock: a
 * stalled machine stops the checker as well, so that a stall is seen once, and a task that was
 * caught by it has the time of the other checks to come to its end. Safe for use by any thread.
 */
public final class BlockedLoopRecorder {

  /** How many checks see a block that counts. */
  static final int CHECKS = 5;

  private static final String OUR_FRAMES = "dev.latchkey.";
  private static final BlockedLoopRecorder SHARED = new BlockedLoopRecorder();

  private final Map<Thread, Suspect> suspects = new HashMap<>();
  private final BlockingQueue<String> blocks = new LinkedBlockingQueue<>();

  /** Seen in one task by so many checks in a row, the last of them then. */
  private record Suspect(int checks, long lastNanos) {}

  /** Returns the recorder whose content fails the tests. */
  public static BlockedLoopRecorder shared() {
    return SHARED;
  }

  /** Watches the event loops of an instance from now on. */
  public void watch(VertxInternal vertx) {
    vertx.blockedThreadChecker().setThreadBlockedHandler(this::sighted);
  }

  /** Takes what was recorded: one text for each check that saw a blocked loop. */
  public List<String> drain() {
    List<String> drained = new ArrayList<>();
    blocks.drainTo(drained);
    return drained;
  }

  /** Waits for a blocked loop; returns "" when none was recorded in time. */
  public String await(long timeoutMillis) throws InterruptedException {
    String block = blocks.poll(timeoutMillis, TimeUnit.MILLISECONDS);
    return block == null ? "" : block;
  }

  private void sighted(BlockedThreadEvent event) {
    if (event.thread().getName().contains("eventloop")) {
      sighted(event.thread(), event.duration(), event.thread().getStackTrace(), System.nanoTime());
    }
  }

  /** Takes one sighting of a thread that has been busy with one task for some nanoseconds. */
  synchronized void sighted(
      Thread thread, long busyNanos, StackTraceElement[] stack, long nowNanos) {
    boolean ours =
        Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith(OUR_FRAMES));
    if (!ours) {
      suspects.remove(thread);
      return;
    }
    Suspect before = suspects.get(thread);
    boolean sameTask = before != null && busyNanos > nowNanos - before.lastNanos();
    int checks = sameTask ? before.checks() + 1 : 1;
    suspects.put(thread, new Suspect(checks, nowNanos));
    if (checks >= CHECKS) {
      blocks.add(describe(thread, busyNanos, stack));
    }
  }

  private static String describe(Thread thread, long busyNanos, StackTraceElement[] stack) {
    StringBuilder text = new StringBuilder(thread.getName());
    text.append(" was blocked for ").append(busyNanos / 1_000_000).append(" ms");
    for (StackTraceElement frame : stack) {
      text.append("\n    at ").append(frame);
    }
    return text.toString();
  }
}
