package dev.latchkey.testing.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * One run of a server: its first process and all that this one started. A shell stands by that
 * kills it, and deletes its data, should this JVM be killed.
 */
final class ServerProcess {

  private static final long LIMIT_SECONDS = 60;
  private static final int KEPT_LINES = 200;

  /** Ends on a line; on the end of its input the JVM is gone, and so shall be the server. */
  private static final String WATCHDOG =
      "trap '' HUP INT TERM; read -r word; [ \"$word\" = ended ] && exit 0;"
          + " kill -STOP $1; kill -9 $(cat /proc/$1/task/*/children) $1; rm -rf \"$2\"";

  private final Process process;
  private final Process watchdog;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final Deque<String> lines = new ArrayDeque<>();

  private ServerProcess(Process process, Process watchdog, String readyMark) {
    this.process = process;
    this.watchdog = watchdog;
    Thread reader = new Thread(() -> read(process, readyMark), "server-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a server and waits until it is ready.
   *
   * @param command what to run
   * @param readyMark what its output says when it is ready
   * @param data what to delete when this JVM is killed
   */
  static ServerProcess start(List<String> command, String readyMark, Path data) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String pid = Long.toString(process.pid());
      Process watchdog =
          new ProcessBuilder("sh", "-c", WATCHDOG, "watchdog", pid, data.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      ServerProcess started = new ServerProcess(process, watchdog, readyMark);
      started.awaitReady();
      return started;
    } catch (IOException e) {
      throw new AssertionError("cannot start " + command, e);
    }
  }

  /** Sends a signal to every process of the server. */
  void signal(String signal) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -$0 \"$@\" || :", signal));
    command.add(Long.toString(process.pid()));
    process.descendants().forEach(child -> command.add(Long.toString(child.pid())));
    run(command);
  }

  /** Ends every process of the server with SIGKILL and waits for their end. */
  void kill9() {
    if (!process.isAlive()) {
      return;
    }
    // Stopped first, so that it starts no child after its children were listed.
    run(List.of("sh", "-c", "kill -STOP $0 || :", Long.toString(process.pid())));
    List<ProcessHandle> children = process.descendants().toList();
    children.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    await();
    children.forEach(ServerProcess::awaitEnd);
  }

  /** Asks the first process to end with the given signal, and waits for it. */
  void end(String signal) {
    if (process.isAlive()) {
      run(List.of("sh", "-c", "kill -$0 $1 || :", signal, Long.toString(process.pid())));
      await();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the last lines that it wrote. */
  String output() {
    synchronized (lines) {
      return lines.stream().collect(Collectors.joining("\n"));
    }
  }

  /** Runs a command to its end, which must be a good one; returns what it wrote. */
  static String run(List<String> command) {
    try {
      Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
      run.getOutputStream().close();
      String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = run.waitFor();
      if (code != 0) {
        throw new AssertionError(command + " ended with " + code + ": " + output);
      }
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("cannot run " + command, e);
    }
  }

  private void awaitReady() {
    try {
      ready.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      kill9();
      throw new AssertionError("the server did not start; it said:\n" + output(), e);
    }
  }

  private void await() {
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the server does not end; it said:\n" + output());
      }
      try (OutputStream toWatchdog = watchdog.getOutputStream()) {
        toWatchdog.write("ended\n".getBytes(StandardCharsets.UTF_8));
      }
      watchdog.waitFor();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for the end of a process that this JVM is not the parent of, but may never be reaped. */
  static void awaitEnd(ProcessHandle child) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (child.isAlive() && !isZombie(child)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("process " + child.pid() + " survived SIGKILL");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** In a container nobody may reap orphans; their memory and files are gone all the same. */
  private static boolean isZombie(ProcessHandle child) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(child.pid()), "stat"));
      return stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
    } catch (IOException e) {
      return false;
    }
  }

  private void read(Process from, String readyMark) {
    try (BufferedReader reader = from.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lines) {
          lines.addLast(line);
          if (lines.size() > KEPT_LINES) {
            lines.removeFirst();
          }
        }
        if (line.contains(readyMark)) {
          ready.complete(null);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // A killed server's pipe may break in the middle of a line; what matters is that it ended.
    }
    ready.completeExceptionally(new IOException("it ended"));
  }
}
