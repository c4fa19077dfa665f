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
 * Records event loops that this project's code blocked: a thread that waits (for a lock, a future,
 * sleep) in {@value #WAITING_CHECKS} checks in a row, which is 200 ms, or that is busy in {@value
 * #BUSY_CHECKS}. Checks count and not the clock, because a stalled machine stops the checker too;
 * and a busy thread is given longer, because a loaded machine may not let it run. Safe for use by
 * any thread.
 */
public final class BlockedLoopRecorder {

  /** Time between two checks. */
  static final long CHECK_MILLIS = 40;

  /** Checks in a row that see a waiting thread before it is recorded. */
  static final int WAITING_CHECKS = 5;

  /** Checks in a row that see one busy task before it is recorded. */
  static final int BUSY_CHECKS = 60;

  private static final String OUR_FRAMES = "dev.latchkey.";
  private static final BlockedLoopRecorder SHARED = new BlockedLoopRecorder();

  private final Map<Thread, Suspect> suspects = new HashMap<>();
  private final BlockingQueue<String> blocks = new LinkedBlockingQueue<>();

  /** A task that checks in a row have seen, the last of them waiting. */
  private record Suspect(int checks, int waitingChecks, long lastNanos) {}

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
      Thread thread = event.thread();
      boolean waits = thread.getState() != Thread.State.RUNNABLE;
      sighted(thread, waits, event.duration(), thread.getStackTrace(), System.nanoTime());
    }
  }

  /** Takes one sighting of a thread whose current task has lasted for some nanoseconds. */
  synchronized void sighted(
      Thread thread, boolean waits, long busyNanos, StackTraceElement[] stack, long nowNanos) {
    boolean ours =
        Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith(OUR_FRAMES));
    if (!ours) {
      suspects.remove(thread);
      return;
    }
    Suspect before = suspects.get(thread);
    boolean sameTask = before != null && busyNanos > nowNanos - before.lastNanos();
    int checks = sameTask ? before.checks() + 1 : 1;
    int waitingChecks = !waits ? 0 : sameTask ? before.waitingChecks() + 1 : 1;
    suspects.put(thread, new Suspect(checks, waitingChecks, nowNanos));
    if (waitingChecks >= WAITING_CHECKS || checks >= BUSY_CHECKS) {
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
