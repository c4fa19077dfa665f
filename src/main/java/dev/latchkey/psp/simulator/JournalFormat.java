package dev.latchkey.psp.simulator;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspJson;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The journal's file: one line per entry, with eight hexadecimal digits of CRC-32C, a space and the
 * entry as JSON.
 */
final class JournalFormat {

  private static final int CHECKSUM_DIGITS = 8;
  private static final int MAX_LINE_BYTES = 64 << 10;
  private static final JsonMapper MAPPER =
      PspJson.strict()
          .addMixIn(JournalEntry.class, Typed.class)
          .addMixIn(PspCall.class, Typed.class)
          .addMixIn(SimulatorResult.class, Typed.class)
          .build();

  static {
    MAPPER.registerSubtypes(JournalEntry.class.getPermittedSubclasses());
    MAPPER.registerSubtypes(PspCall.Charge.class);
    MAPPER.registerSubtypes(PspCall.OnCharge.class.getPermittedSubclasses());
    MAPPER.registerSubtypes(SimulatorResult.class.getPermittedSubclasses());
  }

  /** Writes the record's name as member {@code type}. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
  private interface Typed {}

  private JournalFormat() {}

  static byte[] encode(JournalEntry entry) throws IOException {
    byte[] json = MAPPER.writeValueAsBytes(entry);
    ByteArrayOutputStream line = new ByteArrayOutputStream(CHECKSUM_DIGITS + 2 + json.length);
    line.write(checksum(json, 0, json.length));
    line.write(' ');
    line.write(json);
    line.write('\n');
    return line.toByteArray();
  }

  /**
   * Reads a journal. A crash during a write leaves a torn end, which was never acknowledged; it is
   * skipped.
   *
   * @return the length of the intact entries in bytes; the rest is to be cut off
   * @throws IOException if the file cannot be read, or is damaged before an intact entry
   */
  static long read(Path file, Consumer<JournalEntry> entries) throws IOException {
    long intactBytes = 0;
    boolean torn = false;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      for (byte[] line = readLine(in); line.length > 0; line = readLine(in)) {
        if (!isIntact(line)) {
          torn = true;
          continue;
        }
        if (torn) {
          throw new IOException(
              "journal " + file + " is damaged at byte " + intactBytes + ", before intact entries");
        }
        try {
          entries.accept(decode(line));
        } catch (JsonProcessingException e) {
          throw new IOException(
              "journal " + file + " has an unknown entry at byte " + intactBytes, e);
        }
        intactBytes += line.length;
      }
    }
    return intactBytes;
  }

  /** Reads a line with its line feed; an over-long line is cut, so that it is not intact. */
  private static byte[] readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (line.size() < MAX_LINE_BYTES) {
        line.write(next);
      }
    }
    if (next == '\n') {
      line.write(next);
    }
    return line.toByteArray();
  }

  private static JournalEntry decode(byte[] line) throws IOException {
    int start = CHECKSUM_DIGITS + 1;
    return MAPPER.readValue(line, start, line.length - start - 1, JournalEntry.class);
  }

  private static boolean isIntact(byte[] line) {
    int start = CHECKSUM_DIGITS + 1;
    return line.length > start
        && line[line.length - 1] == '\n'
        && Arrays.equals(
            checksum(line, start, line.length - start - 1), Arrays.copyOf(line, CHECKSUM_DIGITS));
  }

  private static byte[] checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return String.format("%08x", crc.getValue()).getBytes(StandardCharsets.US_ASCII);
  }
}
