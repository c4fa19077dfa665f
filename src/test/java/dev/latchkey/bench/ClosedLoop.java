package dev.latchkey.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * The load generator for throughput: one thread, a number of connections, one request at a time on
 * each, without pipelining. Each response is followed by the next request.
 */
final class ClosedLoop implements AutoCloseable {

  private static final long HIGHEST_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long SILENT_MILLIS = 30_000;

  private final Selector selector;
  private final InetSocketAddress target;
  private final int connections;
  private final Supplier<ByteBuffer> requests;
  private Histogram latency = new Histogram(HIGHEST_NANOS, 3);
  private long endNanos;
  private long unexpected;
  private String firstUnexpected = "";
  private int pending;

  /**
   * Prepares a run.
   *
   * @param requests asked for each request, on the thread that runs
   */
  ClosedLoop(InetSocketAddress target, int connections, Supplier<ByteBuffer> requests)
      throws IOException {
    this.requests = requests;
    this.target = target;
    this.connections = connections;
    selector = Selector.open();
  }

  /**
   * The measurements of one run.
   *
   * @param requests with response 201
   * @param seconds how long
   * @param latency of each, in nanoseconds
   */
  record Window(long requests, double seconds, Histogram latency) {

    double perSecond() {
      return requests / seconds;
    }
  }

  /**
   * Connects, sends requests, then waits for the pending responses. Each run has new connections,
   * because the server closes idle ones.
   *
   * @throws IOException if the server closes a connection, does not respond in time, or responds
   *     anything but 201
   */
  Window run(double seconds) throws IOException {
    List<Client> clients = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        clients.add(new Client(i, selector, target, this::responded));
      }
      return run(clients, seconds);
    } finally {
      for (Client client : clients) {
        client.close();
      }
      selector.selectNow();
    }
  }

  private Window run(List<Client> clients, double seconds) throws IOException {
    latency = new Histogram(HIGHEST_NANOS, 3);
    long start = System.nanoTime();
    endNanos = start + (long) (seconds * 1e9);
    for (Client client : clients) {
      pending++;
      client.send(requests.get());
    }
    while (pending > 0) {
      if (selector.select(ClosedLoop::read, SILENT_MILLIS) == 0) {
        throw new IOException("no response within " + SILENT_MILLIS + " ms");
      }
    }
    double took = (System.nanoTime() - start) / 1e9;
    if (unexpected > 0) {
      throw new IOException(unexpected + " responses were not 201, such as " + firstUnexpected);
    }
    return new Window(latency.getTotalCount(), took, latency);
  }

  static void read(SelectionKey key) {
    try {
      ((Client) key.attachment()).readable();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void responded(Client from, int status) {
    latency.recordValue(from.respondedNanos - from.sentNanos);
    if (status != 201 && unexpected++ == 0) {
      firstUnexpected = from.text();
    }
    if (from.respondedNanos - endNanos >= 0) {
      pending--;
      return;
    }
    try {
      from.send(requests.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    selector.close();
  }
}
