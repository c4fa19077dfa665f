package dev.latchkey.bench;

import dev.latchkey.testing.Children;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The fat jar's time to the first response, and its resident memory when idle. */
final class StartExperiment implements Experiment {

  private static final Path JAR = Path.of("target/latchkey.jar");
  private static final int LIMIT_MILLIS = 30_000;

  /** The service loads meters and JSON codec a second after its start. */
  private static final long IDLE_NANOS = 6_000_000_000L;

  private record Started(double millis, double mebibytes) {}

  @Override
  public String id() {
    return "start";
  }

  @Override
  public Result run(BenchEnvironment environment) throws IOException, InterruptedException {
    if (!Files.exists(JAR)) {
      throw new IOException("no " + JAR + ", run mvn package");
    }
    int rounds = 2 * environment.rounds();
    List<Started> ours = new ArrayList<>();
    List<Started> bare = new ArrayList<>();
    start(true);
    start(false);
    for (int round = 0; round < rounds; round++) {
      boolean first = round % 2 == 0;
      if (first) {
        ours.add(start(true));
      }
      bare.add(start(false));
      if (!first) {
        ours.add(start(true));
      }
    }
    double[] time = new double[rounds];
    double[] memory = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      time[i] = ours.get(i).millis() / bare.get(i).millis();
      memory[i] = ours.get(i).mebibytes() / bare.get(i).mebibytes();
    }
    return new Result("Start")
        .line("jar", "first response, ms", "resident when idle, MiB")
        .line("latchkey.jar, memory", millis(ours), mebibytes(ours))
        .line("bare Vert.x Web, one route", millis(bare), mebibytes(bare))
        .ratio("time to the first response, against bare", Spread.of(time))
        .ratio("resident memory, against bare", Spread.of(memory))
        .note("default JVM options, " + rounds + " starts of each, alternating")
        .note("bare Vert.x Web is loaded from latchkey.jar too; resident memory after 6 s");
  }

  private static String millis(List<Started> all) {
    return Spread.of(all.stream().mapToDouble(Started::millis).toArray()).text(0);
  }

  private static String mebibytes(List<Started> all) {
    return Spread.of(all.stream().mapToDouble(Started::mebibytes).toArray()).text(0);
  }

  private static Started start(boolean service) throws IOException {
    int port = freePort();
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        service
            ? List.of("-jar", JAR.toString(), "serve", "--port", "" + port)
            : List.of(
                "-cp", JAR + ":target/test-classes", BareVertxMain.class.getName(), "" + port));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeIf(name -> name.startsWith("LATCHKEY_"));
    long begin = System.nanoTime();
    Process process = Children.endingWithThisOne(builder.start());
    try {
      while (!responds(port)) {
        if ((System.nanoTime() - begin) / 1_000_000 > LIMIT_MILLIS || !process.isAlive()) {
          throw new IOException(words + " does not respond");
        }
        LockSupport.parkNanos(2_000_000);
      }
      double millis = (System.nanoTime() - begin) / 1e6;
      LockSupport.parkNanos(IDLE_NANOS);
      return new Started(millis, Cpu.residentKib(process.pid()) / 1024.0);
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean responds(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
      socket
          .getOutputStream()
          .write(
              "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(12)).endsWith("200");
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
