package dev.latchkey.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processor time of processes, from Linux' {@code /proc}. */
final class Cpu {

  private static final double TICKS_PER_SECOND = 100;

  private Cpu() {}

  /** User and system time of processes, in seconds; 0 for a process that has ended. */
  static double seconds(List<Long> pids) {
    double sum = 0;
    for (long pid : pids) {
      String[] fields = stat(pid);
      if (fields.length > 12) {
        sum += (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
      }
    }
    return sum;
  }

  /** A process and its children. */
  static List<Long> tree(long root) {
    List<Long> tree = new ArrayList<>(List.of(root));
    for (long pid : all()) {
      String[] fields = stat(pid);
      if (fields.length > 1 && fields[1].equals(Long.toString(root))) {
        tree.add(pid);
      }
    }
    return tree;
  }

  /** The first process whose command line contains all words; 0 if there is none. */
  static long find(String... words) {
    for (long pid : all()) {
      String line = commandLine(pid);
      boolean holds = !line.isEmpty();
      for (String word : words) {
        holds &= line.contains(word);
      }
      if (holds) {
        return pid;
      }
    }
    return 0;
  }

  /** Resident memory of a process, in KiB. */
  static long residentKib(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no VmRSS of " + pid);
  }

  private static List<Long> all() {
    List<Long> pids = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      entries.forEach(entry -> pids.add(Long.parseLong(entry.getFileName().toString())));
    } catch (IOException e) {
      return List.of();
    }
    return pids;
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
    } catch (IOException e) {
      return "";
    }
  }

  /** The fields after the name: state, parent, and so on. */
  private static String[] stat(long pid) {
    try {
      String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return line.substring(line.lastIndexOf(')') + 2).split(" ");
    } catch (IOException e) {
      return new String[0];
    }
  }
}
