package dev.latchkey.psp.simulator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal's file and the lock of its directory. Its methods block; not thread-safe. */
final class JournalFiles implements AutoCloseable {
  static final String FILE = "psp.journal";
  static final String LOCK = "psp.lock";

  private static final Logger LOG = LoggerFactory.getLogger(JournalFiles.class);

  private final FileChannel file;
  private final FileChannel lockFile;

  private JournalFiles(FileChannel file, FileChannel lockFile) {
    this.file = file;
    this.lockFile = lockFile;
  }

  /** Opens and reads them; see {@link FileJournal#open}. */
  static JournalFiles open(Path directory, Consumer<JournalEntry> entries) throws IOException {
    try {
      Files.createDirectories(directory);
    } catch (FileSystemException e) {
      throw new IOException(
          "cannot create data directory %s (%s)".formatted(directory, e.getClass().getSimpleName()),
          e);
    }
    FileChannel lockFile = openForWriting(directory.resolve(LOCK));
    FileChannel file = openForWriting(directory.resolve(FILE));
    try {
      lock(lockFile, directory);
      long intactBytes = JournalFormat.read(directory.resolve(FILE), entries);
      file.truncate(intactBytes);
      file.position(intactBytes);
      file.force(true);
      forceDirectory(directory);
      return new JournalFiles(file, lockFile);
    } catch (IOException | RuntimeException e) {
      file.close();
      lockFile.close();
      throw e;
    }
  }

  /** Writes and synchronises. */
  void append(byte[] lines) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(lines);
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    file.force(false);
  }

  /** The lock last. */
  @Override
  public void close() throws IOException {
    file.close();
    lockFile.close();
  }

  private static FileChannel openForWriting(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void lock(FileChannel file, Path directory) throws IOException {
    boolean locked;
    try {
      locked = file.tryLock() != null;
    } catch (OverlappingFileLockException heldInThisProcess) {
      locked = false;
    }
    if (!locked) {
      throw new IOException("data directory " + directory + " is in use by another psp");
    }
  }

  /** Makes the file's name durable where the system supports it. */
  private static void forceDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      LOG.debug("directory {} cannot be synchronised: {}", directory, e.getMessage());
    }
  }
}
