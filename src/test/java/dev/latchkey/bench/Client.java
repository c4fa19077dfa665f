package dev.latchkey.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One HTTP/1.1 connection of the load generator, with one request at a time. It reads only the
 * status and the length of a response, because it shares the processors with the server.
 */
final class Client {

  /** Receives each response, on the generator's thread. */
  interface Listener {

    /** A response is complete; its connection is free for the next request. */
    void responded(Client from, int status);
  }

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final byte[] LENGTH = "content-length:".getBytes();

  final int index;
  final Listener listener;
  long sentNanos;
  long respondedNanos;
  private final SocketChannel channel;
  private final ByteBuffer in;
  private int need;

  Client(int index, Selector selector, InetSocketAddress target, Listener listener)
      throws IOException {
    this(index, selector, target, listener, BUFFER_BYTES);
  }

  Client(int index, Selector selector, InetSocketAddress target, Listener listener, int bufferBytes)
      throws IOException {
    this.index = index;
    this.listener = listener;
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

  /** Reads the available bytes. */
  void readable() throws IOException {
    int read = channel.read(in);
    if (read < 0) {
      throw new IOException("the server closed connection " + index);
    }
    if (need < 0) {
      need = wholeLength();
    }
    if (need >= 0 && in.position() >= need) {
      respondedNanos = System.nanoTime();
      listener.responded(this, status());
    }
  }

  /** The part of the response that was read, for failure messages. */
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

  /** The length of head and body; -1 while the head is incomplete. */
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
