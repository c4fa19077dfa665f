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
 * The load generator of all rows that compare throughput: as many connections as are asked for, one
 * request on each at a time, the next one as soon as the answer is there; no pipelining. One
 * thread. The same for both sides of a ratio.
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
  private int underWay;

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
   * What a while of load came to.
   *
   * @param requests answered 201
   * @param seconds how long
   * @param latency of each, in nanoseconds
   */
  record Window(long requests, double seconds, Histogram latency) {

    double perSecond() {
      return requests / seconds;
    }
  }

  /**
   * Connects, sends for a while, then waits for what is under way. Connections are new each time,
   * since the server closes those that were idle between two windows.
   *
   * @throws IOException when the server closes a connection, falls silent, or answers anything but
   *     201
   */
  Window run(double seconds) throws IOException {
    List<Client> clients = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        clients.add(new Client(i, selector, target, this::answered));
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
      underWay++;
      client.send(requests.get());
    }
    while (underWay > 0) {
      if (selector.select(ClosedLoop::read, SILENT_MILLIS) == 0) {
        throw new IOException("no answer within " + SILENT_MILLIS + " ms");
      }
    }
    double took = (System.nanoTime() - start) / 1e9;
    if (unexpected > 0) {
      throw new IOException(unexpected + " answers were not 201, such as " + firstUnexpected);
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

  private void answered(Client from, int status) {
    latency.recordValue(from.answeredNanos - from.sentNanos);
    if (status != 201 && unexpected++ == 0) {
      firstUnexpected = from.text();
    }
    if (from.answeredNanos - endNanos >= 0) {
      underWay--;
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
