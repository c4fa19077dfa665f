package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.simulator.PspSimulator;
import dev.latchkey.psp.simulator.SimulatorStats;
import dev.latchkey.service.InProcessService;
import dev.latchkey.service.ServiceParts;
import dev.latchkey.store.CountingStore;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The nodes of one test over one store, with one PSP. Used by the test's thread. */
final class Scene implements AutoCloseable {

  private static final long PSP_BYTES = 64 << 20;
  private static final long PSP_TIMEOUT_MILLIS = 60_000;
  private static final int MAX_CONNECTIONS = 4_096;
  private static final Map<StoreOperation, String> COUNTED =
      new EnumMap<>(
          Map.of(
              StoreOperation.CLAIM, "C",
              StoreOperation.COMPLETE, "D",
              StoreOperation.RELEASE, "R",
              StoreOperation.WATCH, "W",
              StoreOperation.LOOKUP, "L"));

  private final List<Vertx> opened = new ArrayList<>();
  private final Vertx vertx = newVertx();
  private final PspSimulator simulator = PspSimulator.inMemory(vertx, new MemoryBudget(PSP_BYTES));
  private HttpClient client =
      vertx.createHttpClient(
          new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS));
  private final List<Node> nodes = new ArrayList<>();
  private final ServiceFixture fixture;
  private final Sabotage sabotage;
  private final String key = newKey();
  private AwayLedger ledger;
  private IdempotencyStore bareStore;

  Scene(ServiceFixture fixture, Sabotage sabotage) {
    this.fixture = fixture;
    this.sabotage = sabotage;
  }

  private Vertx newVertx() {
    Vertx created = TestVertx.create();
    opened.add(created);
    return created;
  }

  /**
   * Has the clients of all nodes that are started from now on speak HTTP/2 in clear text with prior
   * knowledge, everything to one node on one connection.
   */
  Scene overHttp2() {
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false),
            new PoolOptions().setHttp2MaxSize(1));
    return this;
  }

  /** A key that nobody has used. */
  static String newKey() {
    return UUID.randomUUID().toString();
  }

  /** Starts a node with two HTTP verticles. */
  Node node(String... args) {
    Vertx nodeVertx = newVertx();
    ServiceFixture.Backend backend = fixture.node(nodeVertx);
    ledger = new AwayLedger(backend.ledger());
    bareStore = backend.store();
    CountingStore store = new CountingStore(sabotage.records(backend.store()));
    HeldPsp psp = new HeldPsp(simulator.gateway(nodeVertx, PSP_TIMEOUT_MILLIS));
    InProcessService service =
        await(
            InProcessService.start(
                nodeVertx,
                sabotage.store(store),
                sabotage.ledger(ledger),
                sabotage.psp(psp),
                real ->
                    new ServiceParts(
                        sabotage.node(real.node()),
                        real.checks(),
                        real.keyNote(),
                        router -> {
                          sabotage.mount(router);
                          real.api().accept(router);
                        }),
                sabotage.options(args)));
    Node node = new Node(service, store, psp, vertx, client, sabotage);
    nodes.add(node);
    return node;
  }

  Vertx vertx() {
    return vertx;
  }

  PspSimulator simulator() {
    return simulator;
  }

  SimulatorStats pspStats() {
    return await(simulator.stats());
  }

  /** The books of the node that was started last. */
  AwayLedger ledger() {
    return ledger;
  }

  /** The store as it is, under whatever breaks it. */
  IdempotencyStore bareStore() {
    return bareStore;
  }

  /** The key of this scene. */
  String key() {
    return key;
  }

  /** Lets everything end that was begun. Stores that are cut off stay so. */
  void settle(Node... alive) {
    for (Node node : alive) {
      node.psp().letGo();
      node.awaitIdle();
    }
  }

  /** How often a handler went to the PSP, over all nodes. */
  int executions() {
    return nodes.stream().mapToInt(node -> node.psp().calls()).sum();
  }

  /** What the store was asked over all nodes, a letter a call; renewals left out. */
  String storeCalls() {
    StringBuilder letters = new StringBuilder();
    COUNTED.forEach(
        (operation, letter) -> {
          long calls = nodes.stream().mapToLong(node -> node.store().calls(operation)).sum();
          letters.append(letter.repeat((int) calls));
        });
    return letters.toString();
  }

  /** How often nodes had to watch anew what they wait for, since they may have missed a notice. */
  int gaps() {
    return nodes.stream().mapToInt(node -> (int) node.store().gaps()).sum();
  }

  /** Waits until the state of a key was read for somebody who waits on another node. */
  void awaitWatched() {
    Await.until("watched", () -> nodes.stream().anyMatch(node -> node.store().watched() > 0));
  }

  @Override
  public void close() {
    opened.forEach(it -> await(it.close()));
  }
}
