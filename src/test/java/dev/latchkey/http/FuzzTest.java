package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Whatever a client sends, it is answered, an error as a problem, with no 5xx, no exception in the
 * log, and a connection that is as good as before unless the answer says that it is closed. {@code
 * -Dfuzz.seed=} repeats a run, {@code -Dfuzz.inputs=} makes it longer.
 */
class FuzzTest {

  private static final int CLIENTS = 4;
  private static final int INPUTS = Integer.getInteger("fuzz.inputs", 200_000);
  private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime());

  /** What went wrong, each with the request that did it. */
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  private final Map<Integer, Integer> statuses = new TreeMap<>();

  @Test
  void everyInputIsAnswered() {
    System.out.println("fuzz.seed=" + SEED + " fuzz.inputs=" + INPUTS);
    try (LogRecorder log = new LogRecorder();
        Scene scene = new Scene(new MemoryFixture(), Sabotage.NONE)) {
      Node node = scene.node("--wait", "2s", "--max-body", "1000");
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      try {
        List<CompletableFuture<Void>> clients =
            IntStream.range(0, CLIENTS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> client(node, i), threads))
                .toList();
        clients.forEach(CompletableFuture::join);
      } finally {
        threads.shutdownNow();
      }
      assertThat(wrong).as("fuzz.seed=" + SEED).isEmpty();
      assertThat(log.kept()).as("fuzz.seed=" + SEED).isEmpty();
      node.awaitIdle();
      // It did reach all that it is meant to reach.
      System.out.println("answers by status: " + statuses);
      assertThat(statuses).containsKeys(200, 201, 400, 402, 404, 405, 409, 413, 415, 422);
      assertThat(node.outcome("replayed")).isPositive();
      assertThat(scene.pspStats().maxChargesPerKey()).isEqualTo(1);
    }
  }

  private void client(Node node, int number) {
    FuzzSource source = new FuzzSource(SEED + number);
    RawConnection connection = new RawConnection(node.port());
    String payment = "pay_0";
    try {
      for (int i = 0; i < INPUTS / CLIENTS && wrong.size() < 5; i++) {
        byte[] request = source.next(payment);
        try {
          Answer answer = connection.send(request).read(request[0] == 'H');
          count(answer.status());
          payment = paymentOf(answer, payment);
          boolean told = request[0] == 'H' || answer.status() < 400 || !answer.problem().isEmpty();
          if (answer.status() >= 500 || !told) {
            wrong.add(answer + " to " + text(request));
          }
          if (answer.header("Connection").filter("close"::equals).isPresent()) {
            connection.close();
            connection = new RawConnection(node.port());
          }
        } catch (UncheckedIOException | AssertionError broken) {
          wrong.add(broken + " after " + text(request));
          connection.close();
          connection = new RawConnection(node.port());
        }
      }
    } finally {
      connection.close();
    }
  }

  private static String paymentOf(Answer answer, String otherwise) {
    return answer.status() == 201 && !answer.isReplayed()
        ? answer.header("Location").map(it -> it.substring("/v1/payments/".length())).orElse("")
        : otherwise;
  }

  private synchronized void count(int status) {
    statuses.merge(status, 1, Integer::sum);
  }

  private static String text(byte[] request) {
    return new String(request, StandardCharsets.ISO_8859_1);
  }
}
