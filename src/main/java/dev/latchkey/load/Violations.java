package dev.latchkey.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The violations of a run, counted, with a few examples each. Confined to one event loop. */
final class Violations {

  private static final int MAX_EXAMPLES = 3;

  private final Map<Violation, Tally> tallies = new EnumMap<>(Violation.class);

  void add(Violation violation, String example) {
    add(violation, 1, example);
  }

  void add(Violation violation, long count, String example) {
    Tally tally = tallies.computeIfAbsent(violation, f -> new Tally());
    tally.count += count;
    if (tally.examples.size() < MAX_EXAMPLES) {
      tally.examples.add(example);
    }
  }

  long count(Violation violation) {
    Tally tally = tallies.get(violation);
    return tally == null ? 0 : tally.count;
  }

  boolean none() {
    return tallies.isEmpty();
  }

  /** Returns one line for each kind of violation. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    tallies.forEach(
        (violation, tally) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%,d %s, such as %s",
                    tally.count,
                    violation.text(),
                    String.join("; ", tally.examples))));
    return lines;
  }

  private static final class Tally {
    private final List<String> examples = new ArrayList<>();
    private long count;
  }
}
