package dev.latchkey.http;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.testing.Await;
import dev.latchkey.web.IdempotencyNode;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Breaks the service on purpose, to see a test fail: what stands between the parts of every node is
 * put in another's place. Immutable once made.
 */
final class Sabotage {

  /** Breaks nothing. */
  static final Sabotage NONE = new Sabotage(Await.LIMIT_MILLIS);

  /** For defects whose effect is a missing response. */
  private static final long SHORT_MILLIS = 1_500;

  private final long patienceMillis;
  private UnaryOperator<IdempotencyStore> records = UnaryOperator.identity();
  private UnaryOperator<IdempotencyStore> store = UnaryOperator.identity();
  private UnaryOperator<Ledger> ledger = UnaryOperator.identity();
  private UnaryOperator<PspGateway> psp = UnaryOperator.identity();
  private UnaryOperator<IdempotencyNode> node = UnaryOperator.identity();
  private UnaryOperator<List<String>> options = UnaryOperator.identity();
  private Consumer<Router> routes = router -> {};
  private String lostHeader = "";

  private Sabotage(long patienceMillis) {
    this.patienceMillis = patienceMillis;
  }

  /** Breaks what the store does: its outages and the count of its calls are as before. */
  static Sabotage ofRecords(UnaryOperator<IdempotencyStore> broken) {
    Sabotage made = new Sabotage(SHORT_MILLIS);
    made.records = broken;
    return made;
  }

  /** Breaks what the layer makes of the store, its outages included. */
  static Sabotage ofStore(UnaryOperator<IdempotencyStore> broken) {
    Sabotage made = new Sabotage(SHORT_MILLIS);
    made.store = broken;
    return made;
  }

  static Sabotage ofLedger(UnaryOperator<Ledger> broken) {
    Sabotage made = new Sabotage(SHORT_MILLIS);
    made.ledger = broken;
    return made;
  }

  static Sabotage ofPsp(UnaryOperator<PspGateway> broken) {
    Sabotage made = new Sabotage(SHORT_MILLIS);
    made.psp = broken;
    return made;
  }

  /** Breaks how a node ends; its routes have the real one. */
  static Sabotage ofNode(UnaryOperator<IdempotencyNode> broken) {
    Sabotage made = new Sabotage(SHORT_MILLIS);
    made.node = broken;
    return made;
  }

  /** Mounts something before the API. */
  static Sabotage ofRoutes(Consumer<Router> broken) {
    Sabotage made = new Sabotage(SHORT_MILLIS);
    made.routes = broken;
    return made;
  }

  /** Sends status 299 in the place of another. */
  static Sabotage ofStatus(int replaced) {
    Sabotage made = new Sabotage(Await.LIMIT_MILLIS);
    made.routes =
        router ->
            router
                .route()
                .handler(
                    ctx -> {
                      ctx.addHeadersEndHandler(
                          v -> {
                            if (ctx.response().getStatusCode() == replaced) {
                              ctx.response().setStatusCode(299);
                            }
                          });
                      ctx.next();
                    });
    return made;
  }

  /** Takes away a header before the client sees it. */
  static Sabotage ofHeader(String lost) {
    Sabotage made = new Sabotage(Await.LIMIT_MILLIS);
    made.lostHeader = lost;
    return made;
  }

  /** Takes no notice of some options. */
  static Sabotage ofOptions(Set<String> ignored) {
    Sabotage made = new Sabotage(SHORT_MILLIS);
    made.options =
        given -> {
          List<String> kept = new ArrayList<>();
          for (int i = 0; i < given.size(); i += 2) {
            if (!ignored.contains(given.get(i))) {
              kept.addAll(given.subList(i, i + 2));
            }
          }
          return kept;
        };
    return made;
  }

  /** The same, where no node remembers what it has answered. */
  Sabotage withoutReplayCache() {
    UnaryOperator<List<String>> before = options;
    Sabotage made = new Sabotage(patienceMillis);
    made.records = records;
    made.store = store;
    made.ledger = ledger;
    made.psp = psp;
    made.node = node;
    made.routes = routes;
    made.lostHeader = lostHeader;
    made.options =
        given -> {
          List<String> all = new ArrayList<>(before.apply(given));
          all.addAll(List.of("--replay-cache", "0"));
          return all;
        };
    return made;
  }

  IdempotencyStore records(IdempotencyStore real) {
    return records.apply(real);
  }

  IdempotencyStore store(IdempotencyStore real) {
    return store.apply(real);
  }

  Ledger ledger(Ledger real) {
    return ledger.apply(real);
  }

  PspGateway psp(PspGateway real) {
    return psp.apply(real);
  }

  IdempotencyNode node(IdempotencyNode real) {
    return node.apply(real);
  }

  String[] options(String... given) {
    return options.apply(List.of(given)).toArray(String[]::new);
  }

  void mount(Router router) {
    routes.accept(router);
  }

  /** Never reaches the client. */
  String lostHeader() {
    return lostHeader;
  }

  /** How long a client waits for an answer. */
  long patienceMillis() {
    return patienceMillis;
  }
}
