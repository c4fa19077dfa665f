package dev.latchkey.store.redis.connection;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes commands for Redis: an array of bulk strings. */
final class RespEncoder {

  private RespEncoder() {}

  /** Appends a command: bytes, or texts that are sent in UTF-8. */
  static void command(Buffer to, List<?> words) {
    to.appendString("*" + words.size() + "\r\n");
    for (Object word : words) {
      byte[] bytes =
          word instanceof byte[] raw ? raw : word.toString().getBytes(StandardCharsets.UTF_8);
      to.appendString("$" + bytes.length + "\r\n").appendBytes(bytes).appendString("\r\n");
    }
  }
}
