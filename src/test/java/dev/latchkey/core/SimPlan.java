package dev.latchkey.core;

import java.util.SplittableRandom;

/**
 * The numbers and fault rates of one history, drawn from the seed. A rate is the probability per
 * occurrence.
 *
 * @param kind the kind of history
 * @param nodes number of nodes, 2 to 5
 * @param lots event loops of each node
 * @param keys number of keys
 * @param clients number of clients, one request each
 * @param callFault a call of the store fails, is silent, or takes effect without a result or twice
 * @param slowCall a store call or its result is slow
 * @param lateEffect a lost call takes effect late
 * @param lostNotice a notification is lost or duplicated
 * @param wrongBody a client uses a key for another request
 * @param hangUp a client hangs up
 * @param impatient a client waits for a short time or not at all
 * @param badHandler an execution is slow, hangs, declines or fails
 * @param pspFault the PSP is busy, or its response is lost or late
 * @param effects an execution writes effects that may be refused
 * @param nodeEvents crashes, pauses, drains and dead subscriptions of nodes
 * @param storeEvents stalls and crashes of the store
 * @param faultsMillis until when faults happen
 * @param terms of every request
 * @param lateNews an event loop receives events late
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

  /** The kind of history. */
  enum Kind {
    /** No faults and patient clients: the cost of every request is checked. */
    CALM,
    /** The store and its connections work; nodes, handlers and clients fail. */
    FAIR_STORE,
    /** Everything may fail, but the store keeps what it acknowledged. */
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

  /** Draws another lease, retention and run limit. */
  static ClaimPolicy varied(ClaimPolicy terms, SplittableRandom random) {
    long leaseMillis = random.nextLong(2_000, 20_000);
    long[] retentions = {leaseMillis, 60_000, terms.retentionMillis()};
    return new ClaimPolicy(
        leaseMillis,
        retentions[random.nextInt(retentions.length)],
        random.nextLong(30_000, 60_000),
        terms.effectsInStore(),
        terms.onLostOwner());
  }

  SimPlan with(ClaimPolicy other) {
    return new SimPlan(
        kind,
        nodes,
        lots,
        keys,
        clients,
        callFault,
        slowCall,
        lateEffect,
        lostNotice,
        wrongBody,
        hangUp,
        impatient,
        badHandler,
        pspFault,
        effects,
        nodeEvents,
        storeEvents,
        faultsMillis,
        other,
        lateNews);
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
