package dev.latchkey.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Runs two tasks of a scenario in two real threads, in every order with up to two switches. The
 * threads may be switched before each access to shared state: each call of a key's entry, of an
 * attempt or of a concurrent map. Only one thread runs at a time, so a schedule has one outcome.
 */
public final class Interleavings {

  /** What two threads do to an engine. A new instance is made for every schedule. */
  public interface Scenario {
    /** Returns the tasks of the two threads. */
    List<Runnable> tasks();

    /** Checks the outcome; fails with an assertion. */
    void check();
  }

  private static final Set<String> SHARED =
      Set.of(
          "dev/latchkey/core/KeyEntry",
          "dev/latchkey/core/Attempt",
          "java/util/concurrent/ConcurrentHashMap");

  /** Their own steps are atomic: one lock is held from beginning to end. */
  private static final Set<String> ATOMIC = Set.of("KeyEntry", "AttemptState", "Limits");

  private static @Nullable Interleavings current;

  private final Semaphore[] turns = {new Semaphore(0), new Semaphore(0)};
  private final boolean[] done = new boolean[2];
  private final List<Integer> switches;
  private final ThreadLocal<Integer> self = new ThreadLocal<>();
  private int steps;
  private int nextSwitch;

  private Interleavings(List<Integer> switches) {
    this.switches = switches;
  }

  /**
   * Runs every schedule.
   *
   * @param scenario class with a constructor without parameters, in this package
   * @return the number of schedules
   */
  static int explore(Class<? extends Scenario> scenario) throws Exception {
    RewrittenClasses loader =
        new RewrittenClasses((name, next) -> ATOMIC.contains(name) ? next : steppingBefore(next));
    Class<?> copy = loader.loadClass(scenario.getName());
    int schedules = 0;
    for (int first = 0; first < 2; first++) {
      for (int a = 0; run(copy, first, List.of(a)) >= a; a++) {
        int b = 1;
        while (run(copy, first, List.of(a, a + b)) >= a + b) {
          b++;
        }
        schedules += b;
      }
    }
    return schedules;
  }

  /** Returns the number of steps of both threads. */
  private static int run(Class<?> copy, int first, List<Integer> switches) throws Exception {
    var constructor = copy.getDeclaredConstructor();
    constructor.setAccessible(true);
    Scenario scenario = (Scenario) constructor.newInstance();
    Interleavings schedule = new Interleavings(switches);
    current = schedule;
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int number = i;
      Runnable task = scenario.tasks().get(i);
      threads.add(new Thread(() -> schedule.run(number, task), "thread " + i));
      threads.get(i).setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
      threads.get(i).start();
    }
    schedule.turns[first].release();
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(20));
    }
    current = null;
    String order = "thread " + first + " first, switched at steps " + switches;
    if (!schedule.done[0] || !schedule.done[1] || !failures.isEmpty()) {
      throw new AssertionError(order + ": a thread failed or hung: " + failures);
    }
    try {
      scenario.check();
    } catch (AssertionError broken) {
      throw new AssertionError(order + ": " + broken.getMessage(), broken);
    }
    return schedule.steps;
  }

  private void run(int number, Runnable task) {
    self.set(number);
    turns[number].acquireUninterruptibly();
    try {
      task.run();
    } finally {
      done[number] = true;
      turns[1 - number].release();
    }
  }

  /** Called by the engine before an access to shared state. */
  public static void step() {
    Interleavings schedule = current;
    if (schedule != null && schedule.self.get() != null) {
      schedule.step(schedule.self.get());
    }
  }

  private void step(int number) {
    boolean isSwitch =
        nextSwitch < switches.size() && steps == switches.get(nextSwitch) && !done[1 - number];
    steps++;
    if (isSwitch) {
      nextSwitch++;
      turns[1 - number].release();
      turns[number].acquireUninterruptibly();
    }
  }

  private static ClassVisitor steppingBefore(ClassVisitor next) {
    return new ClassVisitor(Opcodes.ASM9, next) {
      @Override
      public MethodVisitor visitMethod(
          int access, String name, String descriptor, String signature, String[] exceptions) {
        return new MethodVisitor(
            Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
          @Override
          public void visitMethodInsn(
              int opcode, String owner, String called, String calledAs, boolean isInterface) {
            if (SHARED.contains(owner) && opcode == Opcodes.INVOKEVIRTUAL) {
              super.visitMethodInsn(
                  Opcodes.INVOKESTATIC, "dev/latchkey/core/Interleavings", "step", "()V", false);
            }
            super.visitMethodInsn(opcode, owner, called, calledAs, isInterface);
          }
        };
      }
    };
  }
}
