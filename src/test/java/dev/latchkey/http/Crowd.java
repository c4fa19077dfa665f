package dev.latchkey.http;

import dev.latchkey.testing.Await;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@link CrowdClient}. */
final class Crowd implements AutoCloseable {

  private final Process process;

  /** Sends; from an address of its own, so that ports do not run out. */
  Crowd(int port, String path, String key, int requests, int localAddress) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // What this JVM was started with, also where it stands in the manifest of a jar.
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                java,
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                CrowdClient.class.getName(),
                Integer.toString(port),
                path,
                key,
                Integer.toString(requests),
                "127.0.0." + localAddress));
    try {
      process =
          builder
              .directory(new File(System.getProperty("user.dir")))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until all are answered; one line for each kind of answer, with how many. */
  List<String> answers() {
    try {
      List<String> lines =
          process.inputReader(StandardCharsets.UTF_8).lines().filter(it -> !it.isBlank()).toList();
      if (!process.waitFor(Await.LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the crowd does not end");
      }
      return lines;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
