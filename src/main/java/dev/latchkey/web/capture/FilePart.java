package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.MimeMapping;
import io.vertx.core.internal.ContextInternal;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** The part of a file that {@code sendFile} is to send. An open channel keeps its position. */
record FilePart(Optional<String> name, Optional<FileChannel> channel, long offset, long length) {

  /** The length of the file part, and its bytes unless they exceed the limit. */
  record Content(long bytes, Optional<Buffer> body) {}

  /** The file exists, the part does not. */
  static final class OutOfRange extends IOException {
    OutOfRange(String message) {
      super(message);
    }
  }

  static FilePart of(Object file, long offset, long length) {
    if (file instanceof String name) {
      return new FilePart(Optional.of(name), Optional.empty(), offset, length);
    }
    FileChannel channel =
        file instanceof RandomAccessFile open ? open.getChannel() : (FileChannel) file;
    return new FilePart(Optional.empty(), Optional.of(channel), offset, length);
  }

  /** Reads at most {@code maxBytes} on a worker thread. */
  Future<Content> read(ContextInternal context, int maxBytes) {
    return context.executeBlocking(
        () -> {
          if (channel.isPresent()) {
            return read(channel.get(), maxBytes);
          }
          File file = context.owner().fileResolver().resolve(name.orElseThrow());
          try (RandomAccessFile opened = new RandomAccessFile(file, "r")) {
            return read(opened.getChannel(), maxBytes);
          }
        },
        false);
  }

  private Content read(FileChannel file, int maxBytes) throws IOException {
    long size = file.size();
    // The messages are those of the real response.
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
      return new Content(bytes, Optional.empty());
    }
    ByteBuffer part = ByteBuffer.allocate((int) bytes);
    while (part.hasRemaining()) {
      if (file.read(part, offset + part.position()) < 0) {
        throw new EOFException("The file shrank below " + (offset + bytes) + " bytes");
      }
    }
    return new Content(bytes, Optional.of(Buffer.buffer(part.array())));
  }

  /** Sends the part without capturing it. */
  Future<Void> send(HttpServerResponse real) {
    return name.map(it -> real.sendFile(it, offset, length))
        .orElseGet(() -> real.sendFile(channel.orElseThrow(), offset, length));
  }

  /** Sets the headers that the real response would set. */
  void describe(PendingHead head, HttpMethod method, long bytes) {
    describeType(head);
    if (head.isHttp1()) {
      head.size(method, bytes);
    } else if (!head.isSized()) {
      head.headers.set(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes));
    }
  }

  /** Sets the type. Over HTTP/1 the real response does so when it opens the file, before errors. */
  void describeType(PendingHead head) {
    if (!head.headers.contains(HttpHeaders.CONTENT_TYPE)) {
      Optional<CharSequence> type =
          name.flatMap(it -> Optional.ofNullable(MimeMapping.mimeTypeForFilename(it)));
      if (type.isPresent() || head.isHttp1()) {
        head.headers.set(HttpHeaders.CONTENT_TYPE, type.orElse("application/octet-stream"));
      }
    }
  }
}
