package dev.latchkey.psp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads a journal from its beginning. A process that dies while it writes leaves the last line
 * torn; that line was never answered and is dropped. Damage before a whole line is no such thing:
 * then the PSP must not start, since it would forget what it answered.
 */
final class JournalReader {
  private static final int MAX_LINE_BYTES = 64 << 10;

  private final Path file;
  private final Consumer<JournalRecord> records;
  private long wholeBytes;
  private boolean damaged;

  private JournalReader(Path file, Consumer<JournalRecord> records) {
    this.file = file;
    this.records = records;
  }

  /**
   * Reads all whole records.
   *
   * @return how many bytes of the file they are; what follows is to be cut off
   * @throws IOException if the file cannot be read, or is damaged
   */
  static long read(Path file, Consumer<JournalRecord> records) throws IOException {
    JournalReader reader = new JournalReader(file, records);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      reader.read(in);
    }
    return reader.wholeBytes;
  }

  private void read(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\n') {
        accept(line.toByteArray());
        line.reset();
      } else if (line.size() < MAX_LINE_BYTES) {
        line.write(next);
      }
    }
  }

  private void accept(byte[] line) throws IOException {
    if (!JournalCodec.isWhole(line)) {
      damaged = true;
      return;
    }
    if (damaged) {
      throw new IOException(
          "journal "
              + file
              + " is damaged at byte "
              + wholeBytes
              + ", before records that are not");
    }
    try {
      records.accept(JournalCodec.decode(line));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "journal " + file + " holds a record that is not understood at byte " + wholeBytes, e);
    }
    wholeBytes += line.length + 1L;
  }
}
