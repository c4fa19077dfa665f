package dev.latchkey.core;

import java.util.SplittableRandom;

/**
 * What one history is made of: how many of whom, and which faults how often. Drawn from the seed.
 * Rates are probabilities of one occasion.
 *
 * @param kind what sort of day it is
 * @param nodes how many, 2 to 5
 * @param lots event loops of each node
 * @param keys how many the clients use
 * @param clients how many, each wants one thing
 * @param callFault a call of the store fails, stays silent, takes effect unheard, or twice
 * @param slowCall a call of the store, or its answer, is slow
 * @param lateEffect a lost call takes effect late
 * @param lostNotice a notice of the store is lost, or comes twice
 * @param wrongBody a client uses a key for another request
 * @param hangUp a client hangs up
 * @param impatient a client waits for a short time or not at all
 * @param badHandler a run is slow, hangs, declines or fails
 * @param pspFault the PSP is busy, or its answer is lost or late
 * @param effects a run writes effects that may be refused
 * @param nodeEvents crashes, pauses, drains and deafness of nodes
 * @param storeEvents stalls and crashes of the store
 * @param faultsMillis until when faults happen
 * @param terms of every request
 * @param lateNews an event loop hears news of its node after what comes in meanwhile
 */
record SimPlan(
    Kind kind,
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
    double pspFault,
    double effects,
    int nodeEvents,
    int storeEvents,
    long faultsMillis,
    ClaimPolicy terms,
    double lateNews) {

  /** What sort of day it is. */
  enum Kind {
    /** No faults at all, willing clients: the cost of every request is counted. */
    CALM,
    /** The store and the ways to it are well; nodes, handlers and clients are not. */
    FAIR_STORE,
    /** Everything may fail but what the store has acknowledged. */
    FOUL,
    /** The store acknowledges claims early and loses them when it crashes. */
    FORGETFUL
  }

  static SimPlan draw(SplittableRandom random) {
    Kind[] days = {Kind.CALM, Kind.FAIR_STORE, Kind.FAIR_STORE, Kind.FORGETFUL, Kind.FORGETFUL};
    int day = random.nextInt(12);
    Kind kind = day < days.length ? days[day] : Kind.FOUL;
    boolean calm = kind == Kind.CALM;
    boolean storeIsWell = calm || kind == Kind.FAIR_STORE;
    return new SimPlan(
        kind,
        2 + random.nextInt(4),
        1 + random.nextInt(2),
        1 + random.nextInt(2),
        2 + random.nextInt(7),
        storeIsWell ? 0 : rate(random, 0.3),
        storeIsWell ? 0 : rate(random, 0.3),
        rate(random, 0.5),
        storeIsWell ? 0 : rate(random, 0.6),
        calm ? 0 : rate(random, 0.4),
        calm ? 0 : rate(random, 0.3),
        calm ? 0 : rate(random, 0.4),
        calm ? 0 : rate(random, 0.6),
        calm ? 0 : rate(random, 0.5),
        calm ? 0 : rate(random, 0.7),
        calm ? 0 : random.nextInt(5),
        storeIsWell ? 0 : random.nextInt(3),
        60_000 + random.nextInt(60_000),
        terms(kind, random),
        calm ? 0 : rate(random, 0.3));
  }

  private static ClaimPolicy terms(Kind kind, SplittableRandom random) {
    boolean calm = kind == Kind.CALM;
    long retention = !calm && random.nextInt(4) == 0 ? 60_000 : 3_600_000;
    boolean report = !calm && random.nextInt(8) == 0;
    return new ClaimPolicy(
        10_000,
        retention,
        30_000,
        kind == Kind.FORGETFUL,
        report ? LostOwner.REPORT : LostOwner.TAKE_OVER);
  }

  private static double rate(SplittableRandom random, double most) {
    return random.nextInt(3) == 0 ? 0 : random.nextDouble() * most;
  }

  boolean calm() {
    return kind == Kind.CALM;
  }

  boolean forgets() {
    return kind == Kind.FORGETFUL;
  }

  boolean reports() {
    return terms.onLostOwner() == LostOwner.REPORT;
  }
}
