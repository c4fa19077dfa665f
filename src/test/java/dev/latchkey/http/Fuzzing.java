package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.RawClient;
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

/**
 * Sends the inputs of {@link FuzzSource}. Each must get a response: errors as problems, no 5xx, no
 * exception in the log. The connection stays usable unless the response closes it. For one run.
 */
final class Fuzzing {

  /** Options of the node that is fuzzed. */
  static final String[] OPTIONS = {"--wait", "2s", "--max-body", "1000"};

  private static final int CLIENTS = 4;
  private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime());

  /** What went wrong, each with the request that did it. */
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final Node node;
  private final int inputs;

  /**
   * Makes a run.
   *
   * @param node started with {@link #OPTIONS}
   * @param inputs how many requests to send
   */
  Fuzzing(Node node, int inputs) {
    this.node = node;
    this.inputs = inputs;
  }

  void run() {
    System.out.println("fuzz.seed=" + SEED + " inputs=" + inputs);
    try (LogRecorder log = new LogRecorder()) {
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      try {
        List<CompletableFuture<Void>> clients =
            IntStream.range(0, CLIENTS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> client(i), threads))
                .toList();
        clients.forEach(CompletableFuture::join);
      } finally {
        threads.shutdownNow();
      }
      assertThat(wrong).as("fuzz.seed=" + SEED).isEmpty();
      assertThat(log.lines()).as("fuzz.seed=" + SEED).isEmpty();
    }
    node.awaitIdle();
    System.out.println("answers by status: " + statuses);
    assertThat(statuses).as("fuzz.seed=" + SEED).containsKeys(201, 400, 422);
  }

  /** That the inputs reached all that they are meant to reach; for a long run, rare as some are. */
  void assertReachedEverything() {
    String run = "fuzz.seed=" + SEED + ", not reached by " + inputs + " inputs";
    assertThat(statuses).as(run).containsKeys(200, 201, 400, 402, 404, 405, 409, 413, 415, 422);
    assertThat(node.outcome("replayed")).as("replays; " + run).isPositive();
  }

  private void client(int number) {
    FuzzSource source = new FuzzSource(SEED + number);
    RawClient connection = new RawClient(node.port());
    String payment = "pay_0";
    try {
      for (int i = 0; i < inputs / CLIENTS && wrong.size() < 5; i++) {
        byte[] request = source.next(payment);
        try {
          Answer answer = Answer.from(connection.send(request), request[0] == 'H');
          count(answer.status());
          payment = paymentOf(answer, payment);
          boolean told = request[0] == 'H' || answer.status() < 400 || !answer.problem().isEmpty();
          if (answer.status() >= 500 || !told) {
            wrong.add(answer + " to " + text(request));
          }
          if (answer.header("Connection").filter("close"::equals).isPresent()) {
            connection.close();
            connection = new RawClient(node.port());
          }
        } catch (UncheckedIOException | AssertionError broken) {
          wrong.add(broken + " after " + text(request));
          connection.close();
          connection = new RawClient(node.port());
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
