package dev.latchkey.psp.simulator;

import dev.latchkey.net.BoundedHttpClient;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.StandardWebhooks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

/** The simulated PSP as an HTTP server. Start it once and close it once, from any thread. */
public final class SimulatorServer {

  // Longer than the slowest charge, so that no connection closes before its response.
  private static final int IDLE_TIMEOUT_SECONDS = 2 * TestPaymentMethod.MAX_SLOW_MILLIS / 1000;

  private final Vertx vertx;
  private final SimulatorOptions options;

  /** Closes the open parts, last opened first. */
  private final Deque<Supplier<Future<Void>>> closers = new ConcurrentLinkedDeque<>();

  /**
   * Creates a server. Does nothing until it is started.
   *
   * @param vertx the instance to run on; not closed by the server
   * @param options how to run
   */
  public SimulatorServer(Vertx vertx, SimulatorOptions options) {
    this.vertx = vertx;
    this.options = options;
  }

  /**
   * Reads the state, sends undelivered events and listens.
   *
   * @return the bound port; fails, with everything closed, if the data directory is unusable or in
   *     use, the journal is damaged, or the port cannot be bound
   */
  public Future<Integer> start() {
    return openSimulator()
        .map(this::startRelay)
        .compose(this::listen)
        .map(HttpServer::actualPort)
        .recover(failure -> close().transform(closed -> Future.failedFuture(failure)));
  }

  /**
   * Stops listening, breaks open connections and writes the journal.
   *
   * @return completes when the data directory is free
   */
  public Future<Void> close() {
    Supplier<Future<Void>> closer = closers.poll();
    return closer == null ? Future.succeededFuture() : closer.get().transform(closed -> close());
  }

  private Future<PspSimulator> openSimulator() {
    return options
        .dataDir()
        .map(directory -> vertx.executeBlocking(() -> open(directory)))
        .orElseGet(() -> Future.succeededFuture(simulator(new Journal())));
  }

  private PspSimulator open(Path directory) throws IOException {
    List<JournalEntry> entries = new ArrayList<>();
    FileJournal journal = FileJournal.open(directory, entries::add);
    closers.push(journal::close);
    PspSimulator simulator = simulator(journal);
    entries.forEach(simulator::recover);
    return simulator;
  }

  private PspSimulator simulator(Journal journal) {
    return new PspSimulator(
        journal,
        KeyMemory.of(MemoryBudget.ofHeap()),
        PspSimulator.timer(vertx),
        options.eventsUrl().isPresent());
  }

  private PspSimulator startRelay(PspSimulator simulator) {
    options
        .eventsUrl()
        .ifPresent(
            url -> {
              EventRelay relay =
                  new EventRelay(vertx, simulator, url, options.secret().map(StandardWebhooks::of));
              closers.push(relay::close);
              relay.start();
            });
    return simulator;
  }

  private Future<HttpServer> listen(PspSimulator simulator) {
    HttpServer server =
        vertx.createHttpServer(
            new HttpServerOptions()
                .setHost(options.host())
                .setPort(options.port())
                .setIdleTimeout(IDLE_TIMEOUT_SECONDS));
    server.connectionHandler(BoundedHttpClient::logQuietly);
    server.requestHandler(SimulatorRoutes.create(vertx, simulator));
    closers.push(server::close);
    return server.listen();
  }
}
