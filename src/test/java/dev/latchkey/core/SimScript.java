package dev.latchkey.core;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything that determines a history: the same script gives the same story. Parts and faults have
 * names; a shortened script allows only some of them.
 *
 * @param seed of every choice
 * @param mutant the planted bug
 * @param only the parts and faults that may occur; empty for all
 */
record SimScript(long seed, SimMutant mutant, Optional<Set<String>> only) {

  static SimScript of(long seed, SimMutant mutant) {
    return new SimScript(seed, mutant, Optional.empty());
  }

  SimScript allowing(Collection<String> names) {
    Set<String> some = Collections.unmodifiableSet(new LinkedHashSet<>(names));
    return new SimScript(seed, mutant, Optional.of(some));
  }

  SimScript without(SimMutant planted) {
    return planted == mutant ? new SimScript(seed, SimMutant.NONE, only) : this;
  }

  boolean allows(String name) {
    return only.isEmpty() || only.get().contains(name);
  }

  /** Reads what {@link #toString} wrote. */
  static SimScript parse(String line) {
    String[] parts = line.split("\\|", -1);
    SimScript all = of(Long.parseLong(parts[1].strip()), SimMutant.valueOf(parts[0].strip()));
    if (parts.length == 2) {
      return all;
    }
    List<String> names =
        Stream.of(parts[2].split(";")).map(String::strip).filter(it -> !it.isEmpty()).toList();
    return all.allowing(names);
  }

  @Override
  public String toString() {
    String all = mutant + " | " + seed;
    return only.map(it -> it.stream().collect(Collectors.joining("; ", all + " | ", "")))
        .orElse(all);
  }
}
