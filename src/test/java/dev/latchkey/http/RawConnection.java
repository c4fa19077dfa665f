package dev.latchkey.http;

import dev.latchkey.testing.Await;
import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A raw connection: sends bytes and reads HTTP/1.1 responses. */
final class RawConnection implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  RawConnection(int port) {
    this(port, "127.0.0.1");
  }

  RawConnection(int port, String localAddress) {
    try {
      InetAddress loopback = InetAddress.getByName("127.0.0.1");
      socket = new Socket(loopback, port, InetAddress.getByName(localAddress), 0);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) Await.LIMIT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a text, each character as one byte. */
  RawConnection send(String text) {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends what it can: a server that has answered and closed need not read the rest. */
  RawConnection send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException closed) {
      return this;
    }
    return this;
  }

  /** Whether nothing has come that was not read. */
  boolean isSilent() {
    try {
      return in.available() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads until a text has come by; false when the connection ends without it. */
  boolean awaitText(String text) {
    StringBuilder read = new StringBuilder();
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (read.append((char) next).indexOf(text, read.length() - text.length()) >= 0) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one answer to anything but a HEAD. */
  Answer read() {
    return read(false);
  }

  /** Reads one answer; one to a HEAD has no body, whatever length it names. */
  Answer read(boolean toHead) {
    try {
      String status = line();
      if (!status.startsWith("HTTP/1.")) {
        throw new AssertionError("this is no status line: " + status);
      }
      List<Map.Entry<String, String>> headers = new ArrayList<>();
      for (String line = line(); !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        headers.add(Map.entry(line.substring(0, colon), line.substring(colon + 1).strip()));
      }
      Answer head = new Answer(Integer.parseInt(status.split(" ")[1]), headers, Buffer.buffer());
      int length = toHead ? 0 : head.header("Content-Length").map(Integer::parseInt).orElse(0);
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        throw new EOFException("the connection ended within a body");
      }
      return new Answer(head.status(), headers, Buffer.buffer(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended after: " + line);
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
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
