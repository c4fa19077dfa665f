package dev.latchkey.store.redis;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Commands as Redis reads them: an array of bulk strings. */
final class Words {

  private static final byte[] END = {'\r', '\n'};

  private Words() {}

  /** Appends a command; its words are bytes or texts, which are sent in UTF-8. */
  static void encode(Buffer to, Object... words) {
    begin(to, words.length);
    for (Object word : words) {
      put(to, word);
    }
  }

  /** Appends what comes before so many words. */
  static void begin(Buffer to, int words) {
    to.appendByte((byte) '*');
    number(to, words);
  }

  /** Appends a word. */
  static void put(Buffer to, Object word) {
    byte[] bytes =
        word instanceof byte[] raw ? raw : word.toString().getBytes(StandardCharsets.UTF_8);
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
