package dev.latchkey.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One HTTP/1.1 connection of the load generator, one request at a time. It looks at the status and
 * the length of an answer and at nothing else, so that it takes as little as possible of the
 * machine that it shares with the server.
 */
final class Client {

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final byte[] LENGTH = "content-length:".getBytes();

  final int index;
  final Answers answers;
  long sentNanos;
  long answeredNanos;
  private final SocketChannel channel;
  private final ByteBuffer in;
  private int need;

  Client(int index, Selector selector, InetSocketAddress target, Answers answers)
      throws IOException {
    this(index, selector, target, answers, BUFFER_BYTES);
  }

  Client(int index, Selector selector, InetSocketAddress target, Answers answers, int bufferBytes)
      throws IOException {
    this.index = index;
    this.answers = answers;
    in = ByteBuffer.allocate(bufferBytes);
    channel = SocketChannel.open(target);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Sends a request; the connection must be free. */
  void send(ByteBuffer request) throws IOException {
    in.clear();
    need = -1;
    sentNanos = System.nanoTime();
    while (request.hasRemaining()) {
      channel.write(request);
    }
  }

  /** Reads what is there. */
  void readable() throws IOException {
    int read = channel.read(in);
    if (read < 0) {
      throw new IOException("the server closed connection " + index);
    }
    if (need < 0) {
      need = wholeLength();
    }
    if (need >= 0 && in.position() >= need) {
      answeredNanos = System.nanoTime();
      answers.answered(this, status());
    }
  }

  /** The answer so far, for messages. */
  String text() {
    return new String(in.array(), 0, in.position());
  }

  void close() throws IOException {
    channel.close();
  }

  private int status() {
    byte[] all = in.array();
    return (all[9] - '0') * 100 + (all[10] - '0') * 10 + all[11] - '0';
  }

  /** How long head and body are together; -1 while the head is not whole. */
  private int wholeLength() {
    byte[] all = in.array();
    int end = in.position();
    int length = 0;
    int line = 0;
    for (int i = 0; i < end; i++) {
      if (all[i] != '\n') {
        continue;
      }
      if (i - line <= 1) {
        return i + 1 + length;
      }
      if ((all[line] | 0x20) == 'c' && isLength(all, line, i)) {
        length = number(all, line + LENGTH.length, i);
      }
      line = i + 1;
    }
    return -1;
  }

  private static boolean isLength(byte[] all, int line, int end) {
    if (end - line < LENGTH.length) {
      return false;
    }
    for (int i = 0; i < LENGTH.length; i++) {
      int c = all[line + i];
      if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != LENGTH[i]) {
        return false;
      }
    }
    return true;
  }

  private static int number(byte[] all, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      if (all[i] >= '0' && all[i] <= '9') {
        number = 10 * number + all[i] - '0';
      }
    }
    return number;
  }
}
