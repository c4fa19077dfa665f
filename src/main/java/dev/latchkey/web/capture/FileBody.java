package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * The part of a file that {@code sendFile} sends, read on a worker thread up to a limit.
 *
 * @param bytes how long the part is
 * @param body the part, empty when it is longer than the limit
 */
record FileBody(long bytes, Optional<Buffer> body) {

  /** The file is there, the part is not. */
  static final class OutOfRange extends IOException {
    OutOfRange(String message) {
      super(message);
    }
  }

  /** Reads a file by its name, as the file system of Vert.x resolves it. */
  static Future<FileBody> read(
      ContextInternal context, String name, long offset, long length, int maxBytes) {
    return context.executeBlocking(
        () -> {
          File file = context.owner().fileResolver().resolve(name);
          try (RandomAccessFile opened = new RandomAccessFile(file, "r")) {
            return read(opened.getChannel(), offset, length, maxBytes);
          }
        },
        false);
  }

  /** Reads an open file, which stays open and keeps its position. */
  static Future<FileBody> read(
      ContextInternal context, FileChannel channel, long offset, long length, int maxBytes) {
    return context.executeBlocking(() -> read(channel, offset, length, maxBytes), false);
  }

  private static FileBody read(FileChannel channel, long offset, long length, int maxBytes)
      throws IOException {
    long size = channel.size();
    if (offset < 0) {
      throw new OutOfRange("offset : " + offset + " (expected: >= 0)");
    }
    if (length < 0) {
      throw new OutOfRange("length : " + length + " (expected: >= 0)");
    }
    if (offset > size) {
      throw new OutOfRange(
          "offset : " + offset + " is larger than the requested file length : " + size);
    }
    long bytes = Math.min(length, size - offset);
    if (bytes > maxBytes) {
      return new FileBody(bytes, Optional.empty());
    }
    ByteBuffer part = ByteBuffer.allocate((int) bytes);
    while (part.hasRemaining()) {
      if (channel.read(part, offset + part.position()) < 0) {
        throw new EOFException("the file shrank below " + (offset + bytes) + " bytes while read");
      }
    }
    return new FileBody(bytes, Optional.of(Buffer.buffer(part.array())));
  }
}
