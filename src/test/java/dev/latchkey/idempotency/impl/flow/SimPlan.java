package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.LostOwner;
import java.util.SplittableRandom;

/**
 * What one history is made of: how many of whom, and which faults how often. Drawn from the seed.
 *
 * @param calm no faults at all, willing clients: the cost of every request is counted
 * @param forgets the store acknowledges claims early and loses them when it crashes
 */
record SimPlan(
    boolean calm,
    boolean forgets,
    int nodes,
    int lots,
    int keys,
    int clients,
    double callFault,
    double slowCall,
    double lateEffect,
    double lostNotice,
    double wrongBody,
    double hangUp,
    double impatient,
    double badHandler,
    int nodeEvents,
    int storeEvents,
    long faultsMillis,
    Terms terms) {

  static SimPlan draw(SplittableRandom random) {
    boolean calm = random.nextInt(12) == 0;
    boolean forgets = !calm && random.nextInt(6) == 0;
    long lease = 10_000;
    long retention = random.nextInt(4) == 0 ? 60_000 : 3_600_000;
    LostOwner lostOwner = random.nextInt(8) == 0 ? LostOwner.REPORT : LostOwner.TAKE_OVER;
    Terms terms = new Terms(lease, retention, 30_000, forgets, lostOwner);
    int nodes = 2 + random.nextInt(3);
    int keys = 1 + random.nextInt(2);
    int clients = 2 + random.nextInt(7);
    if (calm) {
      Terms plain = new Terms(lease, 3_600_000, 30_000, false, LostOwner.TAKE_OVER);
      return new SimPlan(
          true, false, nodes, 2, keys, clients, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60_000, plain);
    }
    return new SimPlan(
        false,
        forgets,
        nodes,
        1 + random.nextInt(2),
        keys,
        clients,
        rate(random, 0.3),
        rate(random, 0.3),
        rate(random, 0.5),
        rate(random, 0.6),
        rate(random, 0.4),
        rate(random, 0.3),
        rate(random, 0.4),
        rate(random, 0.6),
        random.nextInt(5),
        random.nextInt(3),
        60_000 + random.nextInt(60_000),
        terms);
  }

  private static double rate(SplittableRandom random, double most) {
    return random.nextInt(3) == 0 ? 0 : random.nextDouble() * most;
  }
}
