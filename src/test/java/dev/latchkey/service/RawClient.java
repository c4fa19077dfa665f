package dev.latchkey.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that says exactly what the test wants, byte by byte. */
final class RawClient implements AutoCloseable {

  private static final int LIMIT_MILLIS = 20_000;
  private static final int LITTLE_ROOM_BYTES = 16 * 1024;

  private final Socket socket;

  RawClient(int port) {
    this(port, 0);
  }

  private RawClient(int port, int roomBytes) {
    socket = new Socket();
    try {
      if (roomBytes > 0) {
        socket.setReceiveBufferSize(roomBytes); // before it connects, or the window is larger
      }
      socket.connect(new InetSocketAddress("127.0.0.1", port));
      socket.setSoTimeout(LIMIT_MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One whose server cannot get rid of a large answer before it is read. */
  static RawClient withLittleRoom(int port) {
    return new RawClient(port, LITTLE_ROOM_BYTES);
  }

  RawClient send(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads until the server closes, or a test's patience ends, which fails. */
  String readToEnd() {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException reset) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads until the text has come. */
  String readUntil(String end) {
    try {
      InputStream in = socket.getInputStream();
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      while (!read.toString(StandardCharsets.UTF_8).contains(end)) {
        int next = in.read();
        if (next < 0) {
          throw new AssertionError("closed after: " + read.toString(StandardCharsets.UTF_8));
        }
        read.write(next);
      }
      return read.toString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the connection at once, with a reset instead of an end. */
  void reset() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
