package dev.latchkey.store.redis;

import dev.latchkey.testing.servers.RedisServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before a Redis and passes on one command at a time, the next one after the answer to the
 * one before it, so that something can happen between two commands that came in one write. Messages
 * of subscriptions are not passed on. Safe for any thread.
 */
final class SteppingProxy implements AutoCloseable {

  private record Step(List<String> commands, AtomicInteger left, Runnable action) {}

  private final RedisServer server;
  private final ServerSocket listener;
  private final List<Step> steps = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  SteppingProxy(RedisServer server) {
    this.server = server;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::acceptAll);
  }

  /** Where it listens. */
  String uri() {
    return "redis://127.0.0.1:" + listener.getLocalPort() + "/0";
  }

  /** Acts once, before the n-th of these commands from now on is passed on. */
  void before(int nth, List<String> commands, Runnable action) {
    steps.add(new Step(commands, new AtomicInteger(nth), action));
  }

  /** Ends all connections; called by an action, also the one whose command was to be passed on. */
  void cut() {
    open.forEach(SteppingProxy::close);
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket upstream = new Socket(server.host(), server.port());
        upstream.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        open.add(client);
        open.add(upstream);
        daemon(() -> pass(client, upstream));
      } catch (IOException ended) {
        // Closed, or the server is away: the client sees that nobody answers.
      }
    }
  }

  private void pass(Socket client, Socket upstream) {
    try (client;
        upstream) {
      InputStream asked = new BufferedInputStream(client.getInputStream());
      InputStream said = new BufferedInputStream(upstream.getInputStream());
      while (true) {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        int name = copy(asked, command);
        before(command.toString(StandardCharsets.ISO_8859_1).substring(name).lines().toList());
        command.writeTo(upstream.getOutputStream());
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        copy(said, answer);
        answer.writeTo(client.getOutputStream());
      }
    } catch (IOException ended) {
      // One side is gone, and the other goes with it.
    }
  }

  private void before(List<String> words) {
    String command = words.get(1).toUpperCase(Locale.ROOT);
    for (Step step : steps) {
      if (step.commands.contains(command) && step.left.decrementAndGet() == 0) {
        steps.remove(step);
        step.action.run();
      }
    }
  }

  /** Copies one value of the protocol; returns where what it begins with ends. */
  private static int copy(InputStream from, ByteArrayOutputStream to) throws IOException {
    String line = line(from, to);
    int end = to.size();
    int count = "$*".indexOf(line.charAt(0)) < 0 ? -1 : Integer.parseInt(line.substring(1));
    if (line.charAt(0) == '$' && count >= 0) {
      to.writeBytes(from.readNBytes(count + 2));
    } else {
      for (int i = 0; i < count; i++) {
        copy(from, to);
      }
    }
    return end;
  }

  private static String line(InputStream from, ByteArrayOutputStream to) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = from.read(); next != '\n'; next = from.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      to.write(next);
      line.append((char) next);
    }
    to.write('\n');
    return line.toString().strip();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "stepping-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // It is.
    }
  }
}
