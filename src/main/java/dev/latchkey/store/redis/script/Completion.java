package dev.latchkey.store.redis.script;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.store.redis.connection.RedisScript;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is sent to complete a key: {@code complete_begin.lua} says in which order. Effects are
 * packed into one argument each; one that is alone and needs no staging is not, since the server
 * hashes every byte of an argument and would hash those of its parts once more.
 *
 * @param kinds for each effect the place of its kind, from 1, or 0 when it is refused already
 * @param alone whether there is one effect that needs no staging; its arguments stand by themselves
 */
record Completion(List<String> keys, List<Object> args, List<Integer> kinds, boolean alone) {

  private static final int REFUSED = 0;

  /**
   * Puts a completion together.
   *
   * @param taken names that another tenant has, with why their effects are refused; where names can
   *     be reserved by the same script they are not looked up before
   * @param reserving whether the script reserves, or has been spared it
   */
  static Completion of(
      Claim claim,
      StoredResponse response,
      List<Effect> effects,
      RedisEffectKinds kinds,
      Map<String, String> taken,
      boolean reserving) {
    String tenant = claim.key().tenant();
    String record = RedisKeys.records(tenant, claim.key().key());
    boolean alone =
        effects.size() == 1
            && kinds.kindOf(effects.get(0)).filter(it -> it.refusesBeforeItWrites()).isPresent();
    Completion completion =
        new Completion(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), alone);
    completion.keys.add(record);
    completion.args.add(RecordBytes.held(claim));
    completion.args.add(Long.toString(RecordBytes.bounded(claim.leaseMillis())));
    completion.args.add(StoredResponseCodec.encode(response));
    completion.args.add(RedisKeys.escaped(tenant));
    String ofTenant = record.substring(0, record.indexOf('}') + 1);
    for (Effect effect : effects) {
      Optional<RedisEffectKind> kind = kinds.kindOf(effect);
      if (kind.isEmpty()) {
        completion.addRefused("this store does not know such an effect");
        continue;
      }
      // A key of another tenant may live on another server, where this script cannot reach it.
      List<String> touched = kind.get().keys(effect);
      List<String> reserved = kind.get().reservations(effect);
      Optional<String> conflict = reserved.stream().filter(taken::containsKey).findFirst();
      if (!touched.stream().allMatch(it -> it.startsWith(ofTenant))) {
        completion.addRefused("it is of another tenant than the key");
      } else if (conflict.isPresent()) {
        completion.addRefused(taken.getOrDefault(conflict.get(), ""));
      } else {
        int place = kinds.all().indexOf(kind.get()) + 1;
        List<String> toReserve = reserving ? reserved : List.of();
        completion.add(place, touched, kind.get().args(effect), toReserve);
      }
    }
    return completion;
  }

  private void addRefused(String why) {
    add(REFUSED, List.of(), List.of(why), List.of());
  }

  private void add(int place, List<String> touched, List<?> said, List<String> reserved) {
    kinds.add(place);
    keys.addAll(touched);
    keys.addAll(reserved);
    if (isDirect()) {
      args.add(Integer.toString(touched.size()));
      args.addAll(said);
    } else {
      args.add(packed(place, touched, said, reserved));
    }
  }

  private boolean isDirect() {
    return alone && kinds.get(0) != REFUSED;
  }

  /** The script that takes these keys and arguments. */
  RedisScript script(Scripts scripts) {
    return isDirect() ? scripts.completeAlone(kinds.get(0)) : scripts.complete(kinds);
  }

  private static byte[] packed(
      int place, List<String> touched, List<?> said, List<String> reserved) {
    List<byte[]> words = new ArrayList<>(said.size());
    int size = 4 * Short.BYTES;
    for (Object word : said) {
      byte[] bytes =
          word instanceof byte[] raw ? raw : word.toString().getBytes(StandardCharsets.UTF_8);
      words.add(bytes);
      size += Integer.BYTES + bytes.length;
    }
    ByteBuffer effect = ByteBuffer.allocate(size);
    effect.putShort((short) place).putShort((short) touched.size());
    effect.putShort((short) words.size()).putShort((short) reserved.size());
    words.forEach(word -> effect.putInt(word.length).put(word));
    return effect.array();
  }

  /** Every name that effects reserve. */
  static List<String> reservations(List<Effect> effects, RedisEffectKinds kinds) {
    return effects.stream()
        .flatMap(
            effect ->
                kinds.kindOf(effect).stream().flatMap(kind -> kind.reservations(effect).stream()))
        .distinct()
        .toList();
  }
}
