package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Engines in one thread and virtual time: tasks run in the order of their time, and every random
 * choice comes from one seed.
 */
final class EngineFixture {

  static final ClaimPolicy TERMS =
      new ClaimPolicy(10_000, 3_600_000, 300_000, false, LostOwner.TAKE_OVER);

  private record Task(long atNanos, long order, Node node, Runnable body) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
  private final Random random;
  private long nowNanos = 1_000_000_000_000L;
  private long order;

  /** Events in order, for assertion messages. */
  final List<String> story = new ArrayList<>();

  EngineFixture(long seed) {
    random = new Random(seed);
  }

  long nowMillis() {
    return nowNanos / 1_000_000L;
  }

  private Environment.Timer schedule(Node node, long delayNanos, Runnable body) {
    Task task = new Task(nowNanos + delayNanos, order++, node, body);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  /** Advances the time and runs the tasks that are due. */
  void passMillis(long millis) {
    long until = nowNanos + millis * 1_000_000L;
    while (!tasks.isEmpty() && tasks.peek().atNanos() <= until) {
      Task task = tasks.remove();
      nowNanos = Math.max(nowNanos, task.atNanos());
      task.node().run(task.body());
    }
    nowNanos = until;
  }

  Node newNode(String name, IdempotencyStore store) {
    return newNode(name, store, IdempotencyListener.NONE);
  }

  Node newNode(String name, IdempotencyStore store, IdempotencyListener listener) {
    return new Node(name, store, listener);
  }

  static Operation operation(String key, String request) {
    byte[] digest = new byte[Fingerprint.HASH_BYTES];
    Arrays.fill(digest, (byte) request.hashCode());
    return new Operation(new ScopedKey("tenant", "POST /pay", key), Fingerprint.of(digest), TERMS);
  }

  static StoredResponse response(String text) {
    return StoredResponse.of(201, List.of(), Buffer.buffer(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * A node with one event loop; tests may add more. While it is paused its tasks are held, but time
   * passes.
   */
  final class Node implements Environment, EventLoop {
    final String name;
    final IdempotencyEngine engine;
    final ParkingLot lot;
    private final List<Side> sides = new ArrayList<>();
    private final Deque<Runnable> held = new ArrayDeque<>();
    private boolean paused;

    /** Delay of events to this loop, in milliseconds. */
    long newsMillis;

    private Node(String name, IdempotencyStore store, IdempotencyListener listener) {
      this.name = name;
      engine = new IdempotencyEngine(store, this, new NodeOptions(), listener);
      lot = engine.newParkingLot(this);
      store.subscribe(notice -> schedule(this, 1, () -> engine.onNotification(notice)));
    }

    @Override
    public void run(Runnable body) {
      if (paused) {
        held.add(body);
      } else {
        body.run();
      }
    }

    void pause() {
      story.add(name + " is paused");
      paused = true;
    }

    void resume() {
      story.add(name + " goes on");
      paused = false;
      while (!held.isEmpty()) {
        held.remove().run();
      }
    }

    /** Adds an event loop to this node. */
    Side newSide() {
      Side side = new Side(this);
      sides.add(side);
      return side;
    }

    Client send(String client, Operation operation, long waitMillis) {
      return client(client, operation, waitMillis).send();
    }

    /** Makes a client that has not sent its request. */
    Client client(String client, Operation operation, long waitMillis) {
      return new Client(this, lot, name + "/" + client, operation, waitMillis);
    }

    @Override
    public long nowNanos() {
      return nowNanos;
    }

    @Override
    public Timer after(long delayMillis, Runnable task) {
      return schedule(this, delayMillis * 1_000_000L, task);
    }

    @Override
    public void publish(EntryEvent news) {
      schedule(this, newsMillis * 1_000_000L + 1, () -> lot.onEvent(news));
      sides.forEach(side -> schedule(this, 1, () -> side.lot.onEvent(news)));
    }

    @Override
    public Token newToken() {
      return new Token(random.nextLong(), random.nextLong());
    }

    @Override
    public void later(Runnable task) {
      schedule(this, 1, task);
    }
  }

  /** An additional event loop of a node. */
  final class Side implements EventLoop {
    private final Node node;
    private final ParkingLot lot;

    private Side(Node node) {
      this.node = node;
      lot = node.engine.newParkingLot(this);
    }

    Client send(String client, Operation operation, long waitMillis) {
      return client(client, operation, waitMillis).send();
    }

    Client client(String client, Operation operation, long waitMillis) {
      return new Client(node, lot, node.name + "/" + client, operation, waitMillis);
    }

    @Override
    public void run(Runnable task) {
      node.run(task);
    }

    @Override
    public void later(Runnable task) {
      node.later(task);
    }

    @Override
    public Environment.Timer after(long delayMillis, Runnable task) {
      return node.after(delayMillis, task);
    }
  }

  /** A client and its handler, which the test ends. */
  final class Client implements Caller {
    private final Node node;
    private final ParkingLot lot;
    private final String name;
    private final Operation operation;
    private final long waitMillis;
    Attempt attempt;
    Buffer ranWith;
    CallerResponse verdict;
    String delivered;
    int answers;
    boolean resultDiscarded;
    Place place = () -> false;

    /** Runs whenever the engine asks for the operation. */
    Runnable whenAsked = () -> {};

    private String mine = "";

    Client(Node node, ParkingLot lot, String name, Operation operation, long waitMillis) {
      this.node = node;
      this.lot = lot;
      this.name = name;
      this.operation = operation;
      this.waitMillis = waitMillis;
    }

    Client send() {
      node.engine.arrive(lot, this);
      return this;
    }

    boolean runs() {
      return attempt != null;
    }

    boolean isAnswered() {
      return answers > 0;
    }

    /** Ends the handler with a response to store and its effects. */
    void complete(String answer, Effect... effects) {
      mine = answer;
      node.run(() -> attempt.complete(response(answer), List.of(effects)));
    }

    /** Ends the handler with a response that is not stored. */
    void fail(String answer) {
      mine = answer;
      node.run(() -> attempt.release(response(answer)));
    }

    /** Returns the response body that the client reads. */
    String read() {
      if (delivered != null) {
        return delivered;
      }
      return verdict instanceof CallerResponse.Replay replay
          ? replay.response().body().toString()
          : "";
    }

    @Override
    public Operation operation() {
      whenAsked.run();
      return operation;
    }

    @Override
    public long waitMillis() {
      return waitMillis;
    }

    @Override
    public Buffer body() {
      return Buffer.buffer("request");
    }

    @Override
    public void parked(Place at, boolean bodyIsKept) {
      story.add(name + " is parked");
      place = at;
    }

    @Override
    public void run(Attempt held, Buffer body) {
      story.add(name + " runs");
      attempt = held;
      ranWith = body;
    }

    @Override
    public void adopt(Attempt held) {
      attempt = held;
    }

    @Override
    public void respond(CallerResponse told) {
      story.add(name + " is told " + told.getClass().getSimpleName());
      verdict = told;
      answers++;
    }

    @Override
    public void completed(Expiry expiry) {
      story.add(name + " gets its own answer");
      delivered = mine;
      answers++;
    }

    @Override
    public void released() {
      story.add(name + " gets its own answer, which is not kept");
      delivered = mine;
      answers++;
    }

    @Override
    public void effectRefused(EffectRefused refused) {
      story.add(name + " has to answer anew: " + refused.which());
    }

    @Override
    public void rolledBack() {
      story.add(name + " has to answer anew: rolled back");
    }

    @Override
    public void resultDiscarded() {
      story.add(name + " ran in vain");
      resultDiscarded = true;
    }
  }
}
