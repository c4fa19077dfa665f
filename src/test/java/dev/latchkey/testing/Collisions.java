package dev.latchkey.testing;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Texts that a client may choose so that {@link String#hashCode} is the same for all of them. */
public final class Collisions {

  private static final int BITS = 14;
  private static final int ROUNDS = 3;

  private Collisions() {}

  /**
   * How many times as much of the processor a task takes for texts that collide as it takes for as
   * many that do not: some 5 where a table sorts what collides, some 1,000 where it cannot.
   */
  public static double cost(Consumer<List<String>> task) {
    List<String> colliding = texts("Aa", "BB");
    List<String> others = texts("Aa", "CD");
    long most = Long.MAX_VALUE;
    long usual = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      usual = Math.min(usual, cpuNanos(task, others));
      most = Math.min(most, cpuNanos(task, colliding));
    }
    return (double) most / usual;
  }

  private static List<String> texts(String zero, String one) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 1 << BITS; i++) {
      StringBuilder text = new StringBuilder();
      for (int bit = 0; bit < BITS; bit++) {
        text.append((i >> bit & 1) == 0 ? zero : one);
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static long cpuNanos(Consumer<List<String>> task, List<String> texts) {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    task.accept(texts);
    return Math.max(1, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
  }
}
