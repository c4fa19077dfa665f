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

/** A server under test, a process of its own; the service or a baseline. */
final class Served implements AutoCloseable {

  private final Process process;
  private final URI url;

  private Served(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts a main class from the class path of this process and waits for its ready line. It
   * inherits no LATCHKEY_* variable.
   *
   * @param jvm options of the JVM
   * @param command main class and its arguments
   * @throws IOException when it ends before it is ready; the message holds what it said
   */
  static Served start(List<String> jvm, List<String> command) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(jvm);
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(command);
    return ready(words);
  }

  /** As {@link #start}, for any command whose ready line names its address. */
  static Served ready(List<String> words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("LATCHKEY_"));
    Process process = Children.endingWithThisOne(builder.start());
    BufferedReader out = process.inputReader();
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int at = line.indexOf(" ready on ");
      if (at >= 0) {
        Thread rest = new Thread(() -> out.lines().forEach(Served::tell), "output");
        rest.setDaemon(true);
        rest.start();
        return new Served(process, URI.create(line.substring(at + 10).split(" ", 2)[0]));
      }
      said.append(line).append('\n');
    }
    throw new IOException("it did not start: " + said.toString().strip());
  }

  private static void tell(String line) {
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
