package dev.latchkey.psp;

import dev.latchkey.net.MemoryBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The simulated PSP over HTTP. Start it once, close it once; safe for use by any thread in between.
 */
public final class PspServer {
  // Longer than the slowest charge, so that no connection is closed while an answer is owed.
  private static final int IDLE_TIMEOUT_SECONDS = 2 * TestPaymentMethod.MAX_SLOW_MILLIS / 1000;

  private final Vertx vertx;
  private final PspServerOptions options;

  // What to close, in the order it was opened; guarded by itself.
  private final List<Part> parts = new ArrayList<>();

  /** Something that was opened. */
  private interface Part {
    Future<Void> close();
  }

  /**
   * Makes a server that does nothing yet.
   *
   * @param vertx what it runs on; not closed by it
   * @param options how to run
   */
  public PspServer(Vertx vertx, PspServerOptions options) {
    this.vertx = vertx;
    this.options = options;
  }

  /**
   * Reads its state, sends what events are owed, and listens.
   *
   * @return the port that was bound; fails, with everything closed again, when the data directory
   *     cannot be used or is in use, its journal is damaged, or the port cannot be bound
   */
  public Future<Integer> start() {
    return openSimulator()
        .map(this::startRelay)
        .compose(this::listen)
        .map(HttpServer::actualPort)
        .recover(failure -> close().transform(closed -> Future.failedFuture(failure)));
  }

  /**
   * Stops listening, cuts what is under way, and writes what was decided.
   *
   * @return completes when the data directory is free again
   */
  public Future<Void> close() {
    Future<Void> done = Future.succeededFuture();
    for (Optional<Part> part = takeLast(); part.isPresent(); part = takeLast()) {
      Part next = part.get();
      done = done.transform(before -> next.close());
    }
    return done;
  }

  private Optional<Part> takeLast() {
    synchronized (parts) {
      return parts.isEmpty() ? Optional.empty() : Optional.of(parts.remove(parts.size() - 1));
    }
  }

  private <T> T opened(T value, Part part) {
    synchronized (parts) {
      parts.add(part);
    }
    return value;
  }

  private Future<PspSimulator> openSimulator() {
    return options
        .dataDir()
        .map(directory -> vertx.executeBlocking(() -> open(directory)))
        .orElseGet(() -> Future.succeededFuture(simulator(Journal.NONE)));
  }

  private PspSimulator open(Path directory) throws IOException {
    List<JournalRecord> records = new ArrayList<>();
    FileJournal journal = FileJournal.open(directory, records::add);
    opened(journal, journal::close);
    PspSimulator simulator = simulator(journal);
    records.forEach(simulator::recover);
    return simulator;
  }

  private PspSimulator simulator(Journal journal) {
    return new PspSimulator(
        journal,
        PspRoom.of(MemoryBudget.ofHeap()),
        DelayScheduler.of(vertx),
        PspIds.secure(),
        options.eventsUrl().isPresent());
  }

  private PspSimulator startRelay(PspSimulator simulator) {
    options
        .eventsUrl()
        .ifPresent(
            url -> {
              EventRelay relay =
                  new EventRelay(vertx, simulator, url, options.secret().map(StandardWebhooks::of));
              opened(relay, relay::close).start();
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
    server.connectionHandler(QuietConnections::accept);
    server.requestHandler(new PspRoutes(simulator));
    return opened(server, server::close).listen();
  }
}
