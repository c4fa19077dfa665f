package dev.latchkey.testing;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A connection to a port of this machine that sends and reads bytes. Its calls block. */
public final class RawClient implements AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";
  private static final int SMALL_BUFFER_BYTES = 16 * 1024;

  private final Socket socket = new Socket();
  private final InputStream in;

  /** Connects. */
  public RawClient(int port) {
    this(port, LOOPBACK, 0);
  }

  /** Connects from a local address. */
  public RawClient(int port, String localAddress) {
    this(port, localAddress, 0);
  }

  private RawClient(int port, String localAddress, int receiveBufferBytes) {
    try {
      if (receiveBufferBytes > 0) {
        socket.setReceiveBufferSize(receiveBufferBytes); // before it connects, for a small window
      }
      socket.bind(new InetSocketAddress(localAddress, 0));
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) Await.LIMIT_MILLIS);
      socket.connect(new InetSocketAddress(LOOPBACK, port));
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connects with a small receive buffer: the server cannot send a large response unread. */
  public static RawClient withSmallBuffer(int port) {
    return new RawClient(port, LOOPBACK, SMALL_BUFFER_BYTES);
  }

  /** Sends a text, each character as one byte. */
  public RawClient send(String text) {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends bytes; ignores a failure, because a server may respond and close before it has read. */
  public RawClient send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException closed) {
      return this;
    }
    return this;
  }

  /** Returns whether nothing unread has arrived. */
  public boolean isSilent() {
    try {
      return in.available() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads until the server closes; fails after {@link Await#LIMIT_MILLIS} without a byte. */
  public String readToEnd() {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException reset) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads to the end of a text, each byte as one character; fails if the server closes first. */
  public String readUntil(String end) {
    StringBuilder read = new StringBuilder();
    try {
      while (read.indexOf(end, read.length() - end.length()) < 0) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException("the connection ended after: " + read);
        }
        read.append((char) next);
      }
      return read.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a number of bytes; fails if the server closes first. */
  public byte[] readBytes(int count) {
    try {
      byte[] read = in.readNBytes(count);
      if (read.length < count) {
        throw new EOFException("the connection ended after " + read.length + " of " + count);
      }
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the connection with a reset. */
  public void reset() {
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
