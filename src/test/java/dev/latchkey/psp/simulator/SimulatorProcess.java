package dev.latchkey.psp.simulator;

import dev.latchkey.testing.Children;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** A simulated PSP in its own process, which tests can kill. */
final class SimulatorProcess implements AutoCloseable {
  private final Process process;
  final int port;

  private SimulatorProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static SimulatorProcess start(int port, Path data) throws IOException {
    Process process =
        Children.endingWithThisOne(
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    SimulatorProcess.class.getName(),
                    Integer.toString(port),
                    data.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("port ")) {
          return new SimulatorProcess(process, Integer.parseInt(line.substring(5)));
        }
      }
    }
    process.destroyForcibly();
    throw new IOException("the PSP did not start");
  }

  /** Kills it as kill -9 does. */
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Runs a PSP until it is killed. */
  public static void main(String[] args) {
    SimulatorOptions options =
        new SimulatorOptions(
            "127.0.0.1",
            Integer.parseInt(args[0]),
            Optional.of(Path.of(args[1])),
            Optional.empty(),
            Optional.empty());
    new SimulatorServer(Vertx.vertx(), options)
        .start()
        .onSuccess(port -> System.out.println("port " + port))
        .onFailure(e -> Runtime.getRuntime().halt(1));
  }
}
