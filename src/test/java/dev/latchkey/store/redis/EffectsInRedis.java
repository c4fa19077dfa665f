package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.testing.servers.RedisServer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The three effects of the contract test, as strings in Redis. */
final class EffectsInRedis implements RedisEffectKinds, EffectProbe {

  private static final String TENANT = "tenant";

  private record Applies(String name, String what) implements Effect {}

  private record Refused(String name) implements Effect {}

  private record Counts(String name, String counter) implements Effect {}

  private record Kind(String lua) implements RedisEffectKind {
    @Override
    public List<String> keys(Effect effect) {
      if (effect instanceof Applies it) {
        return List.of(applied(it.what()));
      }
      return effect instanceof Counts it ? List.of(counter(it.counter())) : List.of();
    }

    @Override
    public List<Object> args(Effect effect) {
      return List.of();
    }

    @Override
    public boolean refusesBeforeItWrites() {
      return true;
    }
  }

  private static final RedisEffectKind APPLIES = new Kind("tx.set(keys[1], 'yes')");
  private static final RedisEffectKind REFUSED = new Kind("do return 'never applies' end");
  private static final RedisEffectKind COUNTS =
      new Kind("tx.set(keys[1], tostring(tonumber(tx.get(keys[1]) or '0') + 1))");

  private final Function<String, RedisServer> home;

  /** Looks keys up on their servers. */
  EffectsInRedis(Function<String, RedisServer> home) {
    this.home = home;
  }

  private static String applied(String what) {
    return RedisKeys.name(TENANT, "applied", what);
  }

  private static String counter(String name) {
    return RedisKeys.name(TENANT, "counter", name);
  }

  @Override
  public List<RedisEffectKind> all() {
    return List.of(APPLIES, REFUSED, COUNTS);
  }

  @Override
  public Optional<RedisEffectKind> kindOf(Effect effect) {
    if (effect instanceof Applies) {
      return Optional.of(APPLIES);
    }
    if (effect instanceof Refused) {
      return Optional.of(REFUSED);
    }
    return effect instanceof Counts ? Optional.of(COUNTS) : Optional.empty();
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
  public boolean isApplied(String what) {
    return home.apply(applied(what)).command("GET", applied(what)) != null;
  }

  @Override
  public long counted(String counter) {
    Object count = home.apply(counter(counter)).command("GET", counter(counter));
    return count == null ? 0 : Long.parseLong((String) count);
  }
}
