package dev.latchkey.testing.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A plain blocking connection to a Redis, one command at a time. */
public final class RespConnection implements AutoCloseable {

  private static final int LIMIT_MILLIS = 30_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  RespConnection(String host, int port) {
    try {
      socket.connect(new InetSocketAddress(host, port), LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new AssertionError("cannot connect to Redis on port " + port, e);
    }
  }

  /**
   * Runs one command.
   *
   * @return a String, a Long, a List of such, or null
   * @throws AssertionError when the server responds with an error, or not at all
   */
  public Object command(String... words) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      write(out, "*" + words.length);
      for (String word : words) {
        write(out, "$" + word.getBytes(StandardCharsets.UTF_8).length);
        write(out, word);
      }
      socket.getOutputStream().write(out.toByteArray());
      return read();
    } catch (IOException e) {
      throw new AssertionError(String.join(" ", words) + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void write(ByteArrayOutputStream out, String line) {
    out.writeBytes((line + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  private Object read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest));
      case '-' -> throw new IOException("Redis responded " + rest);
      default -> throw new IOException("not a response: " + line);
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    line();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private List<Object> array(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      items.add(read());
    }
    return items;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server hung up");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }
}
