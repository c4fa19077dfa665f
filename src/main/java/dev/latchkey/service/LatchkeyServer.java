package dev.latchkey.service;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running service: its HTTP verticles, from start to drain. Safe for any thread. */
public final class LatchkeyServer {

  private static final Logger LOG = LoggerFactory.getLogger(LatchkeyServer.class);

  /** A port that Vert.x picks once for all verticles that name it. */
  private static final int ANY_SHARED_PORT = -1;

  /** When what the start can do without is loaded. */
  private static final long LATER_MILLIS = 1_000;

  private final ServeConfig config;
  private final ServiceParts parts;
  private final DrainState drain;
  private final List<HttpVerticle> verticles;

  private LatchkeyServer(
      ServeConfig config, ServiceParts parts, DrainState drain, List<HttpVerticle> verticles) {
    this.config = config;
    this.parts = parts;
    this.drain = drain;
    this.verticles = verticles;
  }

  /**
   * Starts the service with the usual limits for connections.
   *
   * @param vertx the instance of the process
   * @param config how to run
   * @return the service, taking requests; fails when it cannot listen
   */
  public static Future<LatchkeyServer> start(Vertx vertx, ServeConfig config) {
    NodeMetrics metrics = new NodeMetrics();
    return Wiring.service(vertx, config, metrics)
        .compose(parts -> start(vertx, config, parts, metrics, ConnectionLimits.DEFAULT));
  }

  static Future<LatchkeyServer> start(
      Vertx vertx,
      ServeConfig config,
      ServiceParts parts,
      NodeMetrics metrics,
      ConnectionLimits limits) {
    metrics.parked(parts.node()::parked);
    DrainState drain = new DrainState();
    ServiceRouter router = new ServiceRouter(config, parts, metrics, drain);
    int port = config.port() == 0 ? ANY_SHARED_PORT : config.port();
    List<HttpVerticle> verticles = new ArrayList<>();
    Future<?> deployed = Future.succeededFuture();
    for (int i = 0; i < config.instances(); i++) {
      HttpVerticle verticle =
          new HttpVerticle(
              config.host(), port, () -> parts.node().capture(router.create(vertx)), limits, drain);
      verticles.add(verticle);
      // One after the other: the first binds the port, and fails alone when it cannot.
      deployed = deployed.compose(v -> vertx.deployVerticle(verticle, new DeploymentOptions()));
    }
    return deployed.map(
        v -> {
          vertx.setTimer(
              LATER_MILLIS, ignored -> vertx.executeBlocking(() -> prepare(metrics), false));
          return new LatchkeyServer(config, parts, drain, List.copyOf(verticles));
        });
  }

  /** Loads what the first answers do without and later ones should not have to wait for. */
  private static boolean prepare(NodeMetrics metrics) {
    metrics.make();
    return new JsonObject("{\"ready\":true}").toBuffer().length() > 0;
  }

  /** Returns the port it listens on. */
  public int port() {
    return verticles.get(0).port();
  }

  /** Returns the line that says that it is ready. */
  public String readyLine() {
    // Joined, since the first long concatenation of a process loads dozens of classes.
    return String.join(
        "",
        "latchkey ready on http://",
        Hosts.inUrl(config.host()),
        ":",
        Integer.toString(port()),
        " store=",
        config.store(),
        " ledger=",
        config.ledger());
  }

  /**
   * Drains: takes no more connections and requests, finishes what runs, answers what is parked, and
   * closes every connection on which nothing is owed any more.
   *
   * @param timeoutMillis when to cut off what is left, positive
   * @return true when all was answered in time; false when something was cut off
   */
  public Future<Boolean> drain(long timeoutMillis) {
    if (!drain.begin()) {
      return Future.failedFuture(new IllegalStateException("already draining"));
    }
    LOG.info("draining, for at most {} ms", timeoutMillis);
    List<Future<?>> ends = new ArrayList<>();
    Future<Boolean> worked = parts.node().drain(timeoutMillis);
    ends.add(worked);
    verticles.forEach(verticle -> ends.add(verticle.shutdown(timeoutMillis)));
    return Future.join(ends)
        .map(v -> worked.result() && drain.endedCleanly())
        .onSuccess(
            clean ->
                LOG.info(clean ? "drained, all was answered" : "drained, something was cut off"))
        .onComplete(v -> parts.node().close());
  }
}
