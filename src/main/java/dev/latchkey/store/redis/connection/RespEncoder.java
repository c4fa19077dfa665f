package dev.latchkey.store.redis.connection;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Encodes commands for Redis: an array of bulk strings. */
final class RespEncoder {

  private static final byte[] END = {'\r', '\n'};

  private RespEncoder() {}

  /** Appends a command; its arguments are bytes or texts, which are sent in UTF-8. */
  static void command(Buffer to, Object... arguments) {
    begin(to, arguments.length);
    for (Object argument : arguments) {
      put(to, argument);
    }
  }

  /** Appends the header of a command with this many arguments, its name included. */
  static void begin(Buffer to, int arguments) {
    to.appendByte((byte) '*');
    number(to, arguments);
  }

  /** Appends an argument. */
  static void put(Buffer to, Object argument) {
    byte[] bytes =
        argument instanceof byte[] raw ? raw : argument.toString().getBytes(StandardCharsets.UTF_8);
    to.appendByte((byte) '$');
    number(to, bytes.length);
    to.appendBytes(bytes);
    to.appendBytes(END);
  }

  private static void number(Buffer to, int number) {
    to.appendBytes(Integer.toString(number).getBytes(StandardCharsets.ISO_8859_1));
    to.appendBytes(END);
  }
}
