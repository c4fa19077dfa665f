package dev.latchkey.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Shortens a failing history: takes out nodes, clients, retries and faults, in large pieces first,
 * as long as what is left still fails, until nothing can be taken out any more.
 */
final class SimShortener {

  private SimShortener() {}

  /**
   * Shortens a script.
   *
   * @param failing makes a history that breaks a promise
   * @return makes one that breaks the same promise, and would not with any one part or fault less
   */
  static SimScript shorten(SimScript failing) {
    SimRun run = SimRun.of(failing, false);
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

  /** Tries to do without every piece of so many names, from the last to the first. */
  private static SimScript withoutPieces(SimScript script, String promise, int piece) {
    SimScript shortest = script;
    List<String> names = new ArrayList<>(shortest.only().orElseThrow());
    for (int to = names.size(); to > 0; to -= piece) {
      List<String> fewer = new ArrayList<>(names);
      fewer.subList(Math.max(0, to - piece), to).clear();
      SimRun run = SimRun.of(shortest.allowing(fewer), false);
      if (run.broken().map(SimViolation::promise).filter(promise::equals).isPresent()) {
        // What did not occur before the promise broke is not needed either.
        shortest = shortest.allowing(run.occurred());
        names = new ArrayList<>(shortest.only().orElseThrow());
        to = Math.min(to, names.size() + piece);
      }
    }
    return shortest;
  }
}
