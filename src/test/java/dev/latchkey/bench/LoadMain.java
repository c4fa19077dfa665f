package dev.latchkey.bench;

import dev.latchkey.bench.ClosedLoop.Window;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Sends the load of the benchmarks to a running server, to profile it: {@code URL CONNECTIONS
 * SECONDS [KEYS]}. KEYS is the number of keys, which repeat; by default each request has its own.
 */
public final class LoadMain {

  private LoadMain() {}

  /** Prints a line every five seconds. */
  public static void main(String[] args) throws Exception {
    URI url = URI.create(args[0]);
    Requests requests = new Requests("pm_card_visa");
    long keys = args.length > 3 ? Long.parseLong(args[3]) : Long.MAX_VALUE;
    long[] sent = {0};
    Supplier<ByteBuffer> source = () -> requests.of(sent[0]++ % keys);
    InetSocketAddress target = new InetSocketAddress(url.getHost(), url.getPort());
    try (ClosedLoop load = new ClosedLoop(target, Integer.parseInt(args[1]), source)) {
      for (int left = Integer.parseInt(args[2]); left > 0; left -= 5) {
        Window window = load.run(Math.min(left, 5));
        System.out.printf(
            "%.0f/s, p50 %.0f us, p99 %.0f us%n",
            window.perSecond(),
            window.latency().getValueAtPercentile(50) / 1e3,
            window.latency().getValueAtPercentile(99) / 1e3);
      }
    }
  }
}
