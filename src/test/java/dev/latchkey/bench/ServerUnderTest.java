package dev.latchkey.bench;

import dev.latchkey.testing.Children;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the service or of a baseline. */
final class ServerUnderTest implements AutoCloseable {

  private final Process process;
  private final URI url;

  private ServerUnderTest(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts a main class from the class path of this process and waits for its ready line. It
   * inherits no LATCHKEY_* variable.
   *
   * @param jvm options of the JVM
   * @param command main class and its arguments
   * @throws IOException if it ends before it is ready; the message contains its output
   */
  static ServerUnderTest start(List<String> jvm, List<String> command) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(jvm);
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(command);
    return ready(words);
  }

  /** As {@link #start}, for any command whose ready line names its address. */
  static ServerUnderTest ready(List<String> words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("LATCHKEY_"));
    Process process = Children.endingWithThisOne(builder.start());
    BufferedReader out = process.inputReader();
    StringBuilder output = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int at = line.indexOf(" ready on ");
      if (at >= 0) {
        Thread reader =
            new Thread(() -> out.lines().forEach(ServerUnderTest::printProblem), "server-output");
        reader.setDaemon(true);
        reader.start();
        return new ServerUnderTest(process, URI.create(line.substring(at + 10).split(" ", 2)[0]));
      }
      output.append(line).append('\n');
    }
    throw new IOException("the server did not start: " + output.toString().strip());
  }

  private static void printProblem(String line) {
    if (line.contains("WARN") || line.contains("ERROR")) {
      System.out.println("  | " + line);
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(url.getHost(), url.getPort());
  }

  URI url() {
    return url;
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
