package dev.latchkey.psp;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in a directory that one process holds at a time. What arrives while a batch is written
 * goes with the next one: one write and one fsync for all of it, on a thread of the journal's own.
 * Safe for use by any thread; futures complete on that thread.
 */
final class FileJournal implements Journal {
  static final String FILE = "psp.journal";
  static final String LOCK = "psp.lock";

  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
  private static final int MAX_PENDING_RECORDS = 100_000;

  private final FileChannel file;
  private final FileChannel lockFile;
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "psp-journal");
            thread.setDaemon(true);
            return thread;
          });

  // Guarded by this.
  private Batch gathering = new Batch();
  private Future<Void> writing = Future.succeededFuture();
  private boolean scheduled;
  private boolean closed;

  /** Set once, when a write failed: from then on nothing is known about the end of the file. */
  private volatile boolean broken;

  /** Records that become durable together. */
  private static final class Batch {
    private final List<JournalRecord> records = new ArrayList<>();
    private final Promise<Void> durable = Promise.promise();
  }

  private FileJournal(FileChannel file, FileChannel lockFile) {
    this.file = file;
    this.lockFile = lockFile;
  }

  /**
   * Opens the journal of a directory, made if absent, and reads it. Blocks.
   *
   * @param directory whose journal
   * @param records takes what is there, in order
   * @return the journal, ready for more
   * @throws IOException if the directory cannot be used, is in use, or its journal is damaged
   */
  static FileJournal open(Path directory, Consumer<JournalRecord> records) throws IOException {
    try {
      Files.createDirectories(directory);
    } catch (FileSystemException e) {
      throw new IOException(
          "data directory %s cannot be made (%s)"
              .formatted(directory, e.getClass().getSimpleName()),
          e);
    }
    FileChannel lockFile = lock(directory);
    try {
      Path path = directory.resolve(FILE);
      FileChannel file =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        long whole = JournalReader.read(path, records);
        file.truncate(whole);
        file.position(whole);
        file.force(true);
        forceDirectory(directory);
        return new FileJournal(file, lockFile);
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException heldInThisProcess) {
      // Told like any other holder, below.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new IOException("data directory " + directory + " is in use by another psp");
  }

  /** Makes the file's own name durable, where the system can do that. */
  private static void forceDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      LOG.debug("directory {} cannot be synchronised: {}", directory, e.getMessage());
    }
  }

  @Override
  public synchronized Future<Void> append(JournalRecord record) {
    if (closed) {
      return Future.failedFuture(new IOException("the journal is closed"));
    }
    gathering.records.add(record);
    Future<Void> durable = gathering.durable.future();
    if (!scheduled) {
      scheduled = true;
      writer.execute(this::writeBatches);
    }
    return durable;
  }

  @Override
  public synchronized Future<Void> settled() {
    return gathering.records.isEmpty() ? writing : gathering.durable.future();
  }

  @Override
  public synchronized boolean hasRoom() {
    return gathering.records.size() < MAX_PENDING_RECORDS && !broken && !closed;
  }

  @Override
  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    synchronized (this) {
      if (closed) {
        return settled();
      }
      closed = true;
    }
    // Runs after what is scheduled, since the thread is one.
    writer.execute(() -> release(done));
    writer.shutdown();
    return done.future();
  }

  private void release(Promise<Void> done) {
    try {
      file.close();
      // Closing it gives the lock back, so it comes last.
      lockFile.close();
      done.complete();
    } catch (IOException e) {
      done.fail(e);
    }
  }

  private void writeBatches() {
    for (Batch batch = next(); !batch.records.isEmpty(); batch = next()) {
      write(batch);
    }
  }

  private synchronized Batch next() {
    Batch batch = gathering;
    if (batch.records.isEmpty()) {
      scheduled = false;
    } else {
      gathering = new Batch();
      writing = batch.durable.future();
    }
    return batch;
  }

  private void write(Batch batch) {
    Optional<Exception> failure = tryWrite(batch);
    try {
      failure.ifPresentOrElse(batch.durable::fail, batch.durable::complete);
    } catch (RuntimeException e) {
      // A listener's defect must not stop the writer, or every later caller waits for ever.
      LOG.error("answering after a write to the journal failed: {}", e.toString());
    }
  }

  private Optional<Exception> tryWrite(Batch batch) {
    if (broken) {
      return Optional.of(new IOException("an earlier write to the journal failed"));
    }
    try {
      Buffer lines = Buffer.buffer();
      batch.records.forEach(record -> lines.appendBytes(JournalCodec.encode(record)));
      ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes());
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(false);
    } catch (IOException | RuntimeException e) {
      broken = true;
      LOG.error("the journal cannot be written, refusing all changes: {}", e.toString());
      return Optional.of(e);
    }
    return Optional.empty();
  }
}
