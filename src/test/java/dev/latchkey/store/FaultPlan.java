package dev.latchkey.store;

import java.util.List;
import java.util.Random;
import java.util.Set;

/** Decides what happens to each call of a {@link CountingStore}. Called under its lock. */
@FunctionalInterface
public interface FaultPlan {

  /** Lets everything through. */
  FaultPlan NONE = (operation, number) -> StoreFault.NONE;

  /**
   * Decides about one call.
   *
   * @param operation what is called
   * @param number counts the calls of this operation, 1 for the first
   */
  StoreFault next(StoreOperation operation, long number);

  /**
   * Disturbs a share of the calls, the same ones for the same seed and order of calls.
   *
   * @param seed of the choice
   * @param share 0 to 1
   * @param operations which calls may be disturbed
   * @param faults what may happen to them, each as likely as the next
   */
  static FaultPlan seeded(
      long seed, double share, Set<StoreOperation> operations, List<StoreFault> faults) {
    Random random = new Random(seed);
    return (operation, number) ->
        operations.contains(operation) && random.nextDouble() < share
            ? faults.get(random.nextInt(faults.size()))
            : StoreFault.NONE;
  }
}
