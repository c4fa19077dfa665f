package dev.latchkey.testing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Processes that do not outlive this one, also when somebody ends it half-way. */
public final class Children {

  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Thread hook = new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-of-children");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private Children() {}

  /**
   * Has a process killed when this one ends; nothing but a SIGKILL of this one prevents it.
   *
   * @param process just started
   * @return the same
   */
  public static Process endingWithThisOne(Process process) {
    RUNNING.add(process);
    process.onExit().thenRun(() -> RUNNING.remove(process));
    return process;
  }
}
