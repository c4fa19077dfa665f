package dev.latchkey.store;

import java.util.List;
import java.util.Random;
import java.util.Set;

/** Decides what happens to each call of a {@link CountingStore}. Called under its lock. */
@FunctionalInterface
public interface FaultPlan {

  /** Disturbs no call. */
  FaultPlan NONE = (operation, number) -> StoreFault.NONE;

  /**
   * Decides about one call.
   *
   * @param operation the operation
   * @param number of the call of this operation, from 1
   */
  StoreFault next(StoreOperation operation, long number);

  /**
   * Disturbs a share of the calls, the same ones for the same seed and order of calls.
   *
   * @param seed of the choice
   * @param share 0 to 1
   * @param operations which calls may be disturbed
   * @param faults the possible faults, all equally likely
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
