package dev.latchkey.core;

import dev.latchkey.core.spi.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One process of a node, with one or two event loops and a real engine. While paused, it does
 * nothing; dead, it stays so.
 */
final class SimProcess implements Environment, SimWorld.Host {

  /** Time that a fault may cost after its end: a store timeout and a retry. */
  private static final long AFTERMATH_NANOS =
      (NodeOptions.DEFAULT_STORE_TIMEOUT_MILLIS + 2_000) * SimWorld.MILLI;

  private static final long HARMLESS_NANOS = 20 * SimWorld.MILLI;
  private static final long LEASE_TIMER_MILLIS = 5_100;
  private static final long MOST_NEWS_DELAY_MILLIS = 200;

  /** An event loop: runs its tasks in order. */
  final class SimEventLoop implements EventLoop {
    final ParkingLot lot;
    private final int place = loops.size() + 1;
    private long lastNanos;
    private long newsFromNanos;
    private int news;

    SimEventLoop() {
      lot = engine.newParkingLot(this);
    }

    /** Events keep their order, but clients and timers may overtake them. */
    void tell(EntryEvent told) {
      news++;
      String late = name + " loop " + place + " hears news " + news + " late";
      if (world.fault(late, plan.lateNews())) {
        long delayMillis = world.dice(late + " by").nextLong(1, MOST_NEWS_DELAY_MILLIS);
        long fromNanos = world.nowNanos() + delayMillis * SimWorld.MILLI;
        newsFromNanos = Math.max(newsFromNanos, fromNanos);
      }
      long delayNanos = newsFromNanos - world.nowNanos();
      if (delayNanos > 0) {
        world.after(SimProcess.this, delayNanos, () -> later(() -> lot.onEvent(told)));
      } else {
        later(() -> lot.onEvent(told));
      }
    }

    @Override
    public void run(Runnable task) {
      if (current == this) {
        task.run();
      } else {
        later(task);
      }
    }

    @Override
    public void later(Runnable task) {
      long soon = world.nowNanos() + dice.nextLong(1_000, 300_000);
      lastNanos = Math.max(soon, lastNanos + 1);
      world.after(SimProcess.this, lastNanos - world.nowNanos(), () -> enter(task));
    }

    @Override
    public Timer after(long delayMillis, Runnable task) {
      return world.after(SimProcess.this, nanos(delayMillis), () -> enter(task));
    }

    private void enter(Runnable task) {
      SimEventLoop before = current;
      current = this;
      try {
        task.run();
      } finally {
        current = before;
      }
    }
  }

  final int number;
  final String name;
  final SimStoreConnection link;
  final IdempotencyEngine engine;
  final List<SimEventLoop> loops = new ArrayList<>();
  final List<SimCall> calls = new ArrayList<>();
  final long skewMillis;
  long pausedNanos;

  /** By how much its clock jumped. */
  long jumpedNanos;

  private final SimWorld world;
  private final SimPlan plan;
  private final double rate;
  private final SplittableRandom dice;
  private final Deque<Runnable> held = new ArrayDeque<>();
  private final Set<Token> claimed = new HashSet<>();
  private final Set<Token> copied = new HashSet<>();
  private SimEventLoop current;
  private boolean paused;
  private boolean dead;
  private boolean drained;
  private long pausedSinceNanos;
  private long troubledUntilNanos;

  SimProcess(SimWorld world, SimStore records, SimStoreFaults weather, int number, String name) {
    this.world = world;
    plan = weather.plan;
    this.number = number;
    this.name = name;
    dice = world.dice("process " + name);
    skewMillis = plan.calm() ? 0 : dice.nextLong(-20_000, 20_000);
    boolean drifts = !plan.calm() && world.fault("the clock of " + name + " drifts", 0.5);
    rate = drifts ? world.dice("drift of " + name).nextDouble(0.99, 1.01) : 1;
    link = new SimStoreConnection(world, records, weather, this);
    SimMutantStore store = new SimMutantStore(world, link);
    engine = new IdempotencyEngine(store, this, new NodeOptions(), IdempotencyListener.NONE);
    engine.registerPolicy(plan.terms());
    loops.add(new SimEventLoop());
    if (plan.lots() > 1 && world.part("second loop")) {
      loops.add(new SimEventLoop());
    }
    store.subscribe(engine::onNotification);
  }

  @Override
  public void accept(Runnable task) {
    if (paused) {
      held.add(task);
    } else if (!dead) {
      task.run();
    }
  }

  boolean isDead() {
    return dead;
  }

  boolean isPaused() {
    return paused;
  }

  void pause() {
    world.tell(() -> name + " is paused");
    paused = true;
    pausedSinceNanos = world.nowNanos();
  }

  void resume() {
    if (!paused || dead) {
      return;
    }
    world.tell(() -> name + " goes on");
    paused = false;
    pausedNanos += world.nowNanos() - pausedSinceNanos;
    trouble(SimWorld.MILLI * 1_000);
    int waiting = held.size();
    for (int i = 0; i < waiting; i++) {
      world.after(this, 1 + i, held.remove());
    }
  }

  /** Its clock jumps ahead, which may end leases and limits early. */
  void jump(long millis) {
    world.tell(() -> "the clock of " + name + " jumps by " + millis + " ms");
    jumpedNanos += millis * SimWorld.MILLI;
    trouble(plan.terms().leaseMillis() * SimWorld.MILLI);
  }

  /** The run limit, if its clock was fast by a hundredth and jumped meanwhile. */
  long shortestRunLimitNanos() {
    return plan.terms().runLimitMillis() * 990_000 - jumpedNanos;
  }

  /** It has drained and ends. */
  void drained() {
    world.tell(() -> name + " is drained");
    drained = true;
  }

  void crash() {
    world.tell(() -> name + (drained ? " ends" : " crashes"));
    dead = true;
    paused = false;
    held.clear();
    calls.forEach(SimCall::connectionLost);
  }

  /** Whether it lived to the end or ended after a drain. */
  boolean survived() {
    return !dead || drained;
  }

  /** A call to the store is slow for this long from now on. */
  void trouble(long nanos) {
    if (nanos > HARMLESS_NANOS) {
      long until = world.nowNanos() + nanos + AFTERMATH_NANOS;
      troubledUntilNanos = Math.max(troubledUntilNanos, until);
    }
  }

  /** Whether it lives, without a fault of its own or of its store connection since then. */
  boolean isWellSince(long nanos) {
    return !dead && !paused && troubledUntilNanos < nanos;
  }

  void claimed(Token token) {
    claimed.add(token);
  }

  boolean hasClaimed(Token token) {
    return claimed.contains(token);
  }

  /** Whether a handler of this process began under the claim. */
  boolean runs(Token token) {
    return calls.stream().anyMatch(call -> call.claim().filter(token::equals).isPresent());
  }

  void copied(Token token) {
    copied.add(token);
  }

  /** Whether this process made the claim and got a result for every call. */
  boolean answersFor(Token token) {
    // After a long pause it may have given up.
    boolean awake = pausedNanos + jumpedNanos < 20_000 * SimWorld.MILLI;
    return awake && !dead && claimed.contains(token) && !copied.contains(token);
  }

  @Override
  public long nowNanos() {
    return (long) (world.nowNanos() * rate) + skewMillis * SimWorld.MILLI + jumpedNanos;
  }

  @Override
  public Timer after(long delayMillis, Runnable task) {
    if (world.has(SimMutant.LEASE_TIMER_LOST) && delayMillis > LEASE_TIMER_MILLIS) {
      return Timer.NONE;
    }
    return world.after(this, nanos(delayMillis), task);
  }

  private long nanos(long delayMillis) {
    return (long) (delayMillis * SimWorld.MILLI / rate);
  }

  @Override
  public void publish(EntryEvent news) {
    if (world.has(SimMutant.NEWS_LOST) && dice.nextInt(10) == 0) {
      return;
    }
    loops.forEach(loop -> loop.tell(news));
  }

  @Override
  public Token newToken() {
    return new Token(dice.nextLong(), dice.nextLong());
  }
}
