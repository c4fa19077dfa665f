package dev.latchkey.service;

import dev.latchkey.testing.Children;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The packaged jar as a process of its own. Inherits no LATCHKEY_* variable. Closing it kills it,
 * and only it, when it still runs.
 */
public final class LatchkeyProcess implements AutoCloseable {

  private static final long LIMIT_SECONDS = 60;
  private static final String READY = " ready on ";

  /** Resets signals that the parent of the tests ignores: children inherit that. */
  private static final List<String> HEEDING_SIGNALS = prefixThatWorks();

  private final Process process;
  private final List<String> out = Collections.synchronizedList(new ArrayList<>());
  private final List<String> err = Collections.synchronizedList(new ArrayList<>());
  private final CompletableFuture<String> readyLine = new CompletableFuture<>();
  private final List<Thread> readers = new ArrayList<>();

  private LatchkeyProcess(Process process) {
    this.process = process;
    read(process.inputReader(StandardCharsets.UTF_8), out);
    read(process.errorReader(StandardCharsets.UTF_8), err);
    process.onExit().thenRun(() -> readyLine.completeExceptionally(new IOException("it ended")));
  }

  /**
   * Starts the jar.
   *
   * @param environment further variables
   * @param args command and options; give {@code --port 0}
   * @return the process, perhaps not ready yet
   */
  public static LatchkeyProcess start(Map<String, String> environment, String... args) {
    String jar = System.getProperty("latchkey.jar");
    if (jar == null) {
      throw new AssertionError("the system property latchkey.jar does not name the jar");
    }
    List<String> command = new ArrayList<>(HEEDING_SIGNALS);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m", "-jar", jar));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("LATCHKEY_"));
    builder.environment().putAll(environment);
    try {
      return new LatchkeyProcess(Children.endingWithThisOne(builder.start()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Starts {@code serve} or another command and waits until it is ready.
   *
   * @param args command and options
   * @return the process
   */
  public static LatchkeyProcess ready(String... args) {
    LatchkeyProcess started = start(Map.of(), args);
    started.readyLine();
    return started;
  }

  /** Waits for the line that says that it is ready. */
  public String readyLine() {
    try {
      return readyLine.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      close();
      throw new AssertionError("not ready; it said: " + err, e);
    }
  }

  /** Returns where it listens, such as {@code http://127.0.0.1:4711}. */
  public URI url() {
    String line = readyLine();
    String url = line.substring(line.indexOf(READY) + READY.length());
    return URI.create(url.split(" ", 2)[0]);
  }

  /** Returns its process id. */
  public long pid() {
    return process.pid();
  }

  /**
   * Sends it a signal.
   *
   * @param signal such as {@code TERM}, {@code STOP}, {@code CONT} or {@code KILL}
   * @return this
   */
  public LatchkeyProcess signal(String signal) {
    try {
      int code = new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -" + signal + " " + pid() + " ended with " + code);
      }
      return this;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until it has ended and all it said was read; returns its exit code. */
  public int exitCode() {
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("it does not end; it said: " + err);
      }
      for (Thread reader : readers) {
        reader.join();
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the lines it wrote to standard output so far. */
  public List<String> out() {
    synchronized (out) {
      return List.copyOf(out);
    }
  }

  /**
   * Returns the lines it wrote to standard error so far, but for those about event loops that stood
   * still: whether they do is the machine's doing here.
   */
  public List<String> err() {
    synchronized (err) {
      return err.stream().filter(line -> !line.contains("BlockedThreadChecker")).toList();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    exitCode();
  }

  private static List<String> prefixThatWorks() {
    List<String> prefix = List.of("env", "--default-signal=INT,HUP");
    List<String> probe = new ArrayList<>(prefix);
    probe.add("true");
    try {
      return new ProcessBuilder(probe).start().waitFor() == 0 ? prefix : List.of();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void read(BufferedReader lines, List<String> into) {
    Thread reader =
        new Thread(
            () ->
                lines
                    .lines()
                    .forEach(
                        line -> {
                          into.add(line);
                          if (into == out && line.contains(READY)) {
                            readyLine.complete(line);
                          }
                        }),
            "latchkey-output");
    reader.setDaemon(true);
    reader.start();
    readers.add(reader);
  }
}
