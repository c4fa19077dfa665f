package dev.latchkey.http;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.RawClient;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Asks a node on a few connections whether it is alive, again and again, until it is closed. */
final class LiveProbe implements AutoCloseable {

  /** Enough to reach every event loop of the node. */
  private static final int CONNECTIONS = 4;

  private final Node node;
  private final AtomicInteger answers = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads;
  private volatile boolean closed;

  LiveProbe(Node node) {
    this.node = node;
    threads = IntStream.range(0, CONNECTIONS).mapToObj(i -> new Thread(this::ask)).toList();
    threads.forEach(Thread::start);
  }

  private void ask() {
    try (RawClient connection = new RawClient(node.port())) {
      while (!closed) {
        Answer answer =
            Answer.from(connection.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"));
        if (answer.status() == 200) {
          answers.incrementAndGet();
        } else {
          wrong.add(answer.toString());
        }
      }
    } catch (RuntimeException lost) {
      wrong.add(lost.toString());
    }
  }

  /** How often it was told that the node is alive. */
  int answers() {
    return answers.get();
  }

  List<String> wrong() {
    return List.copyOf(wrong);
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      try {
        thread.join(Await.LIMIT_MILLIS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
