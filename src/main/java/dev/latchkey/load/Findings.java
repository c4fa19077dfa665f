package dev.latchkey.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The faults of a run, counted, with a few examples of each. Used from one event loop. */
final class Findings {

  private static final int EXAMPLES = 3;

  private final Map<Fault, Tally> tallies = new EnumMap<>(Fault.class);

  /**
   * Adds one.
   *
   * @param fault what is wrong
   * @param example names the key and what was seen
   */
  void add(Fault fault, String example) {
    add(fault, 1, example);
  }

  /** Adds several at once, which share an example. */
  void add(Fault fault, long count, String example) {
    Tally tally = tallies.computeIfAbsent(fault, f -> new Tally());
    tally.count += count;
    if (tally.examples.size() < EXAMPLES) {
      tally.examples.add(example);
    }
  }

  /** How many of one fault. */
  long count(Fault fault) {
    Tally tally = tallies.get(fault);
    return tally == null ? 0 : tally.count;
  }

  boolean none() {
    return tallies.isEmpty();
  }

  /** One line for each fault that was found. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    tallies.forEach(
        (fault, tally) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%,d %s, such as %s",
                    tally.count,
                    fault.text(),
                    String.join("; ", tally.examples))));
    return lines;
  }

  private static final class Tally {
    private final List<String> examples = new ArrayList<>();
    private long count;
  }
}
