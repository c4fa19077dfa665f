package dev.latchkey.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Shortens a failing history: removes nodes, clients, retries and faults, large pieces first, while
 * the rest still fails, until nothing more can be removed.
 */
final class SimShortener {

  private SimShortener() {}

  /**
   * Shortens a script.
   *
   * @param failing makes a history that breaks a promise
   * @return a script that breaks the same promise, and needs each of its parts and faults
   */
  static SimScript shorten(SimScript failing) {
    SimResult run = SimResult.of(failing, false);
    String promise =
        run.broken()
            .map(SimViolation::promise)
            .orElseThrow(() -> new IllegalArgumentException("this history holds: " + failing));
    SimScript shortest = failing.allowing(run.occurred());
    int piece = Math.max(1, run.occurred().size() / 2);
    while (true) {
      SimScript shorter = withoutPieces(shortest, promise, piece);
      boolean same = shorter.only().orElseThrow().size() == shortest.only().orElseThrow().size();
      shortest = shorter;
      if (piece == 1 && same) {
        return shortest;
      }
      piece = same ? piece / 2 : Math.min(piece, shortest.only().orElseThrow().size() / 2 + 1);
      piece = Math.max(1, piece);
    }
  }

  /** Tries to omit every piece of this size, from the last to the first. */
  private static SimScript withoutPieces(SimScript script, String promise, int piece) {
    SimScript shortest = script;
    List<String> names = new ArrayList<>(shortest.only().orElseThrow());
    for (int to = names.size(); to > 0; to -= piece) {
      List<String> fewer = new ArrayList<>(names);
      fewer.subList(Math.max(0, to - piece), to).clear();
      SimResult run = SimResult.of(shortest.allowing(fewer), false);
      if (run.broken().map(SimViolation::promise).filter(promise::equals).isPresent()) {
        // Events after the violation are not needed either.
        shortest = shortest.allowing(run.occurred());
        names = new ArrayList<>(shortest.only().orElseThrow());
        to = Math.min(to, names.size() + piece);
      }
    }
    return shortest;
  }
}
