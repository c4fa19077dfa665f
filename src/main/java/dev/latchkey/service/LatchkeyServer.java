package dev.latchkey.service;

import dev.latchkey.service.cli.OperationOptions;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.service.http.Hosts;
import dev.latchkey.service.http.HttpVerticle;
import dev.latchkey.service.http.Listener;
import dev.latchkey.service.http.OpenConnections;
import dev.latchkey.service.ops.DrainState;
import dev.latchkey.service.ops.NodeMetrics;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running service: HTTP verticles from start to drain. Safe for any thread. */
public final class LatchkeyServer {

  private static final Logger LOG = LoggerFactory.getLogger(LatchkeyServer.class);

  /** A free port that Vert.x chooses once for all verticles with this number. */
  private static final int ANY_SHARED_PORT = -1;

  private static final int ANY_OTHER_PORT = -2;

  private final Vertx vertx;
  private final ServeConfig config;
  private final ServiceParts parts;
  private final DrainState drain;
  private final List<HttpVerticle> verticles;
  private final Optional<HttpVerticle> operations;
  private final FileReload files;

  private LatchkeyServer(
      Vertx vertx,
      ServeConfig config,
      ServiceParts parts,
      DrainState drain,
      List<HttpVerticle> verticles,
      Optional<HttpVerticle> operations,
      FileReload files) {
    this.files = files;
    this.vertx = vertx;
    this.config = config;
    this.parts = parts;
    this.drain = drain;
    this.verticles = verticles;
    this.operations = operations;
  }

  /**
   * Starts the service.
   *
   * @param vertx the instance of the process
   * @param config the configuration
   * @return the service, ready for requests; fails if it cannot listen or a store cannot be opened
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
    metrics.running(parts.node()::running);
    if (config.operation().accessLog()) {
      metrics.logResponses();
    }
    return vertx
        .executeBlocking(() -> config.certificate().map(files -> files.read(vertx)))
        .compose(pem -> listen(vertx, config, parts, metrics, limits, pem));
  }

  private static Future<LatchkeyServer> listen(
      Vertx vertx,
      ServeConfig config,
      ServiceParts parts,
      NodeMetrics metrics,
      ConnectionLimits limits,
      Optional<PemKeyCertOptions> certificate) {
    DrainState drain = new DrainState();
    ServiceRouter router = new ServiceRouter(config, parts, metrics, drain);
    Listener listener =
        new Listener(
            config.options().host(),
            config.options().port() == 0 ? ANY_SHARED_PORT : config.options().port(),
            limits,
            new OpenConnections(config.operation().maxConnections()),
            drain,
            certificate);
    List<HttpVerticle> verticles = new ArrayList<>();
    Future<?> deployed = Future.succeededFuture();
    for (int i = 0; i < config.instances(); i++) {
      HttpVerticle verticle =
          new HttpVerticle(listener, () -> parts.node().capture(router.create(vertx)));
      verticles.add(verticle);
      // Sequential: the first binds the port, so only one failure is reported.
      deployed = deployed.compose(v -> vertx.deployVerticle(verticle, new DeploymentOptions()));
    }
    Optional<HttpVerticle> operations =
        operationsListener(config)
            .map(its -> new HttpVerticle(its, () -> router.createForOperators(vertx)));
    return deployed
        .compose(
            v ->
                operations.isPresent()
                    ? vertx.deployVerticle(operations.get())
                    : Future.succeededFuture())
        .map(
            v ->
                new LatchkeyServer(
                    vertx,
                    config,
                    parts,
                    drain,
                    List.copyOf(verticles),
                    operations,
                    new FileReload(vertx, config, verticles, certificate)));
  }

  /** The listener for operators is open until the process exits. */
  private static Optional<Listener> operationsListener(ServeConfig config) {
    OperationOptions options = config.operation();
    return options
        .opsPort()
        .map(
            port ->
                new Listener(
                    options.opsHost(),
                    port == 0 ? ANY_OTHER_PORT : port,
                    ConnectionLimits.DEFAULT,
                    new OpenConnections(options.maxConnections()),
                    new DrainState(),
                    Optional.empty()));
  }

  /** Returns the port it listens on. */
  public int port() {
    return verticles.get(0).port();
  }

  /** Returns the port of the listener for operators, if there is one. */
  public Optional<Integer> operationsPort() {
    return operations.map(HttpVerticle::port);
  }

  /** Returns the line for standard output that reports readiness. */
  public String readyLine() {
    return "latchkey ready on %s://%s:%d store=%s ledger=%s"
        .formatted(
            config.certificate().isPresent() ? "https" : "http",
            Hosts.inUrl(config.options().host()),
            port(),
            config.stores().store().label(),
            config.stores().ledger().label());
  }

  /**
   * Takes API keys and the certificate from their files again. What cannot be read leaves the
   * current ones in use.
   *
   * @return completes when the new ones are in use
   */
  public Future<Void> reload() {
    return files.reload();
  }

  /**
   * Reports the node as not ready, then drains after the configured delay.
   *
   * @return true if every response was sent in time, false if a connection was cut off
   */
  public Future<Boolean> stop() {
    if (!drain.announce()) {
      return Future.failedFuture(new IllegalStateException("already draining"));
    }
    long delayMillis = config.operation().drainDelay().toMillis();
    long timeoutMillis = config.operation().drainTimeout().toMillis();
    if (delayMillis == 0) {
      return drain(timeoutMillis);
    }
    LOG.info("not ready; the drain begins in {} ms", delayMillis);
    return vertx.timer(delayMillis).compose(v -> drain(timeoutMillis));
  }

  /**
   * Drains at once: refuses new connections and requests, finishes running requests, responds to
   * parked ones, and closes each connection when no response is pending on it.
   *
   * @param timeoutMillis time after which the remaining connections are cut off, positive
   * @return true if every response was sent in time, false if a connection was cut off
   */
  public Future<Boolean> drain(long timeoutMillis) {
    drain.begin();
    LOG.info("draining for at most {} ms", timeoutMillis);
    List<Future<?>> ends = new ArrayList<>();
    Future<Boolean> worked = parts.node().drain(timeoutMillis);
    ends.add(worked);
    verticles.forEach(verticle -> ends.add(verticle.shutdown(timeoutMillis)));
    return Future.join(ends)
        .map(v -> worked.result() && drain.endedCleanly())
        .onSuccess(
            clean ->
                LOG.info(
                    clean
                        ? "drained; every response was sent"
                        : "drained; some responses were cut off"))
        .onComplete(v -> parts.node().close());
  }
}
