package dev.latchkey.store.redis;

import dev.latchkey.store.redis.connection.RedisScript;
import java.util.ArrayList;
import java.util.List;

/** The texts of the scripts. Immutable. */
final class Scripts {

  /** The channel for the ends of awaited attempts of all tenants. */
  static final String CHANNEL = "latchkey:settled";

  final RedisScript claim;
  final RedisScript release;
  final RedisScript revoke;
  final RedisScript renew;
  final RedisScript step;
  final RedisScript read;
  final RedisScript records;
  final RedisScript reserve;
  private final RedisScript completeNothing;
  private final RedisScript completeAny;
  private final List<RedisScript> completeAlone = new ArrayList<>();

  /**
   * Assembles the scripts.
   *
   * @param clock Lua that sets {@code now}
   * @param effects the effects that a completion can write
   */
  Scripts(String clock, RedisEffectKinds effects) {
    String channel = "local CHANNEL = '" + CHANNEL + "'\n";
    String core = channel + resource("core.lua");
    claim = RedisScript.of(clock + resource("claim.lua") + core + resource("claim_taken.lua"));
    core = clock + core;
    release = RedisScript.of(core + resource("release.lua"));
    revoke = RedisScript.of(core + resource("revoke.lua"));
    renew = RedisScript.of(core + resource("renew.lua"));
    step = RedisScript.of(core + resource("step.lua"));
    read = RedisScript.of(core + resource("read.lua"));
    records = RedisScript.of(core + resource("records.lua"));
    reserve = RedisScript.of(resource("reserve.lua"));
    List<RedisEffectKind> kinds = effects.all();
    String begin =
        clock
            + resource("complete_begin.lua")
            + channel
            + resource("core.lua")
            + resource("complete_any.lua");
    completeNothing = RedisScript.of(begin + resource("complete_end.lua"));
    completeAny = complete(begin, kinds);
    kinds.forEach(kind -> completeAlone.add(completeAlone(begin, kind)));
  }

  private static RedisScript complete(String begin, List<RedisEffectKind> kinds) {
    StringBuilder text = new StringBuilder(begin).append(resource("effects.lua"));
    kinds.stream().map(RedisEffectKind::prelude).distinct().forEach(text::append);
    for (RedisEffectKind kind : kinds) {
      text.append("kinds[" + (kinds.indexOf(kind) + 1) + "] = function(keys, args, tx)\n")
          .append(kind.lua())
          .append("\nend\n");
    }
    text.append(resource("apply.lua")).append(resource("complete_end.lua"));
    return RedisScript.of(text.toString());
  }

  private static RedisScript completeAlone(String begin, RedisEffectKind kind) {
    return RedisScript.of(
        begin
            + kind.prelude()
            + resource("effects_alone.lua")
            + kind.lua()
            + "\nend\n"
            + resource("apply_alone.lua")
            + resource("complete_end.lua"));
  }

  /** The script for a single effect of a kind that refuses before it writes. */
  RedisScript completeAlone(int place) {
    return completeAlone.get(place - 1);
  }

  /** The script for a number of effects. */
  RedisScript complete(int effects) {
    return effects == 0 ? completeNothing : completeAny;
  }

  /** Lua that reads the clock of the server. */
  static String serverClock() {
    return resource("clock.lua");
  }

  private static String resource(String name) {
    return RedisScript.resource(Scripts.class, name) + "\n";
  }
}
