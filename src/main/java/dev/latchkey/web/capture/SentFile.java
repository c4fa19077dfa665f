package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.MimeMapping;
import io.vertx.core.internal.ContextInternal;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * What {@code sendFile} was asked to send.
 *
 * @param name of the file, where it was given by name
 * @param channel of the file, where it was given open
 * @param offset of the first byte
 * @param length at most so many bytes
 */
record SentFile(Optional<String> name, Optional<FileChannel> channel, long offset, long length) {

  static SentFile of(Object file, long offset, long length) {
    if (file instanceof String name) {
      return new SentFile(Optional.of(name), Optional.empty(), offset, length);
    }
    FileChannel channel =
        file instanceof RandomAccessFile open ? open.getChannel() : (FileChannel) file;
    return new SentFile(Optional.empty(), Optional.of(channel), offset, length);
  }

  Future<FileBody> read(ContextInternal context, int maxBytes) {
    return name.map(it -> FileBody.read(context, it, offset, length, maxBytes))
        .orElseGet(() -> FileBody.read(context, channel.get(), offset, length, maxBytes));
  }

  /** Sends it as if nothing had been captured. */
  Future<Void> send(HttpServerResponse real) {
    return name.map(it -> real.sendFile(it, offset, length))
        .orElseGet(() -> real.sendFile(channel.get(), offset, length));
  }

  /** Sets the headers that the real response would set. */
  void describe(Head head, HttpMethod method, long bytes) {
    describeType(head);
    if (head.isHttp1()) {
      head.size(method, bytes);
    } else if (!head.isSized()) {
      head.headers.set(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes));
    }
  }

  /** Over HTTP/1 the type is set as soon as the file is open, whatever becomes of it. */
  void describeType(Head head) {
    if (!head.headers.contains(HttpHeaders.CONTENT_TYPE)) {
      Optional<CharSequence> type =
          name.flatMap(it -> Optional.ofNullable(MimeMapping.mimeTypeForFilename(it)));
      if (type.isPresent() || head.isHttp1()) {
        head.headers.set(HttpHeaders.CONTENT_TYPE, type.orElse("application/octet-stream"));
      }
    }
  }
}
