package dev.latchkey.psp.simulator;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in a directory that only one process may use at a time. Entries that arrive during a
 * write form the next batch: one write and one fsync, on the journal's own thread. Safe for use by
 * any thread; futures complete on that thread.
 */
final class FileJournal extends Journal {
  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
  private static final int MAX_QUEUED_ENTRIES = 100_000;

  private final JournalFiles files;
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "psp-journal");
            thread.setDaemon(true);
            return thread;
          });

  // Guarded by this.
  private Batch queued = new Batch();
  private Future<Void> writing = Future.succeededFuture();
  private boolean scheduled;
  private boolean closed;

  /** Set when a write failed: the end of the file is then unknown. */
  private volatile boolean broken;

  /** Entries that become durable together. */
  private static final class Batch {
    private final List<JournalEntry> entries = new ArrayList<>();
    private final Promise<Void> durable = Promise.promise();
  }

  private FileJournal(JournalFiles files) {
    this.files = files;
  }

  /**
   * Opens the journal of a directory and reads it. Blocks.
   *
   * @param directory created if absent
   * @param entries receives the existing entries in order
   * @return the journal, ready to append
   * @throws IOException if the directory cannot be used, is in use, or its journal is damaged
   */
  static FileJournal open(Path directory, Consumer<JournalEntry> entries) throws IOException {
    return new FileJournal(JournalFiles.open(directory, entries));
  }

  @Override
  public synchronized Future<Void> append(JournalEntry entry) {
    if (closed) {
      return Future.failedFuture(new IOException("the journal is closed"));
    }
    queued.entries.add(entry);
    Future<Void> durable = queued.durable.future();
    if (!scheduled) {
      scheduled = true;
      writer.execute(this::writeBatches);
    }
    return durable;
  }

  @Override
  public synchronized Future<Void> flushed() {
    return queued.entries.isEmpty() ? writing : queued.durable.future();
  }

  @Override
  public synchronized boolean hasRoom() {
    return queued.entries.size() < MAX_QUEUED_ENTRIES && !broken && !closed;
  }

  @Override
  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    synchronized (this) {
      if (closed) {
        return flushed();
      }
      closed = true;
    }
    // The single thread runs this after the scheduled writes.
    writer.execute(() -> release(done));
    writer.shutdown();
    return done.future();
  }

  private void release(Promise<Void> done) {
    try {
      files.close();
      done.complete();
    } catch (IOException e) {
      done.fail(e);
    }
  }

  private void writeBatches() {
    for (Batch batch = next(); !batch.entries.isEmpty(); batch = next()) {
      write(batch);
    }
  }

  private synchronized Batch next() {
    Batch batch = queued;
    if (batch.entries.isEmpty()) {
      scheduled = false;
    } else {
      queued = new Batch();
      writing = batch.durable.future();
    }
    return batch;
  }

  private void write(Batch batch) {
    Optional<Exception> failure = tryWrite(batch);
    try {
      failure.ifPresentOrElse(batch.durable::fail, batch.durable::complete);
    } catch (RuntimeException e) {
      // A failing listener must not stop the writer, or all later callers hang.
      LOG.error("listener failed after a journal write: {}", e.toString());
    }
  }

  private Optional<Exception> tryWrite(Batch batch) {
    if (broken) {
      return Optional.of(new IOException("an earlier write to the journal failed"));
    }
    try {
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      for (JournalEntry entry : batch.entries) {
        lines.write(JournalFormat.encode(entry));
      }
      files.append(lines.toByteArray());
    } catch (IOException | RuntimeException e) {
      broken = true;
      LOG.error("journal write failed; refusing all changes: {}", e.toString());
      return Optional.of(e);
    }
    return Optional.empty();
  }
}
