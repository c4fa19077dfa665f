package dev.latchkey.store.redis;

import java.util.List;

/** The scripts of a store, one for each transition. Immutable. */
final class Scripts {

  final RedisScript claim;
  final RedisScript complete;
  final RedisScript release;
  final RedisScript revoke;
  final RedisScript renew;
  final RedisScript step;
  final RedisScript read;
  final RedisScript records;
  final RedisScript reserve;

  /**
   * Puts the scripts together.
   *
   * @param clock Lua that sets {@code now}
   * @param effects what a completion can write
   */
  Scripts(String clock, RedisEffectKinds effects) {
    String core = clock + resource("core.lua");
    claim = RedisScript.of(core + resource("claim.lua"));
    release = RedisScript.of(core + resource("release.lua"));
    revoke = RedisScript.of(core + resource("revoke.lua"));
    renew = RedisScript.of(core + resource("renew.lua"));
    step = RedisScript.of(core + resource("step.lua"));
    read = RedisScript.of(core + resource("read.lua"));
    records = RedisScript.of(core + resource("records.lua"));
    reserve = RedisScript.of(resource("reserve.lua"));
    StringBuilder complete =
        new StringBuilder(core).append(resource("effects.lua")).append(effects.lua()).append("\n");
    List<RedisEffectKind> kinds = effects.all();
    for (int i = 0; i < kinds.size(); i++) {
      complete
          .append("kinds[" + (i + 1) + "] = function(keys, args, tx)\n")
          .append(kinds.get(i).lua())
          .append("\nend\n");
    }
    this.complete = RedisScript.of(complete.append(resource("complete.lua")).toString());
  }

  /** Lua that goes by the server's clock. */
  static String serverClock() {
    return resource("clock.lua");
  }

  private static String resource(String name) {
    return RedisScript.resource(Scripts.class, name) + "\n";
  }
}
