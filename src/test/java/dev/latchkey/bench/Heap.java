package dev.latchkey.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The heap of another JVM. */
final class Heap {

  private Heap() {}

  /** Collects garbage and returns the number of live bytes. */
  static long live(long pid) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(List.of(jcmd, Long.toString(pid), "GC.class_histogram"))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return output
        .lines()
        .filter(line -> line.startsWith("Total"))
        .map(line -> line.strip().split("\\s+"))
        .mapToLong(words -> Long.parseLong(words[words.length - 1]))
        .findFirst()
        .orElseThrow(() -> new IOException("no histogram of " + pid + ": " + output));
  }
}
