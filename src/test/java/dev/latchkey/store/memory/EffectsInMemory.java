package dev.latchkey.store.memory;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.EffectProbe;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An effect target for the three effects of the contract test. */
final class EffectsInMemory implements EffectTarget, EffectProbe {

  private record Applies(String name, String what) implements Effect {}

  private record Refused(String name) implements Effect {}

  private record Counts(String name, String counter) implements Effect {}

  private final Set<String> applied = new HashSet<>();
  private final Map<String, Long> counters = new HashMap<>();

  @Override
  public synchronized Optional<EffectRefused> apply(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Refused) {
        return Optional.of(new EffectRefused(effect.name(), "never applies"));
      }
    }
    for (Effect effect : effects) {
      if (effect instanceof Applies it) {
        applied.add(it.what());
      } else if (effect instanceof Counts it) {
        counters.merge(it.counter(), 1L, Long::sum);
      }
    }
    return Optional.empty();
  }

  @Override
  public Effect applies(String what) {
    return new Applies("applies", what);
  }

  @Override
  public Effect refused() {
    return new Refused("refused");
  }

  @Override
  public Effect counts(String counter) {
    return new Counts("counts", counter);
  }

  @Override
  public synchronized boolean isApplied(String what) {
    return applied.contains(what);
  }

  @Override
  public synchronized long counted(String counter) {
    return counters.getOrDefault(counter, 0L);
  }
}
