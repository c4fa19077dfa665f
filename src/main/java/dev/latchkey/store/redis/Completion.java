package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.store.redis.connection.RedisScript;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The keys and arguments of a completing script; {@code complete_begin.lua} describes them. Each
 * effect is packed into one argument, except a single one that needs no staging: the server hashes
 * every byte of an argument, and again those of its parts.
 *
 * @param kinds for each effect the position of its kind, from 1, or 0 if it is already refused
 * @param alone whether there is a single effect that needs no staging
 */
record Completion(List<String> keys, List<Object> args, List<Integer> kinds, boolean alone) {

  private static final int REFUSED = 0;

  /**
   * Encodes a completion.
   *
   * @param taken names that another tenant has, whose effects are refused
   * @param reserving whether the script reserves names
   */
  static Completion of(
      Claim claim,
      StoredResponse response,
      List<Effect> effects,
      RedisEffectKinds kinds,
      Set<String> taken,
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
        completion.addRefused("this store does not know the effect");
        continue;
      }
      // A key of another tenant may be on another server, which this script cannot reach.
      List<String> touched = kind.get().keys(effect);
      List<String> reserved = kind.get().reservations(effect);
      Optional<String> conflict = reserved.stream().filter(taken::contains).findFirst();
      if (!touched.stream().allMatch(it -> it.startsWith(ofTenant))) {
        completion.addRefused("it belongs to another tenant than the key");
      } else if (conflict.isPresent()) {
        completion.addRefused(conflict.get() + " belongs to another tenant");
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

  private void add(int place, List<String> touched, List<?> arguments, List<String> reserved) {
    kinds.add(place);
    keys.addAll(touched);
    keys.addAll(reserved);
    if (isDirect()) {
      args.add(Integer.toString(touched.size()));
      args.addAll(arguments);
    } else {
      args.add(packed(place, touched, arguments, reserved));
    }
  }

  private boolean isDirect() {
    return alone && kinds.get(0) != REFUSED;
  }

  /** The script for these keys and arguments. */
  RedisScript script(Scripts scripts) {
    return isDirect() ? scripts.completeAlone(kinds.get(0)) : scripts.complete(kinds.size());
  }

  private static byte[] packed(
      int place, List<String> touched, List<?> arguments, List<String> reserved) {
    List<byte[]> encoded = new ArrayList<>(arguments.size());
    int size = 4 * Short.BYTES;
    for (Object argument : arguments) {
      byte[] bytes =
          argument instanceof byte[] raw
              ? raw
              : argument.toString().getBytes(StandardCharsets.UTF_8);
      encoded.add(bytes);
      size += Integer.BYTES + bytes.length;
    }
    ByteBuffer effect = ByteBuffer.allocate(size);
    effect.putShort((short) place).putShort((short) touched.size());
    effect.putShort((short) encoded.size()).putShort((short) reserved.size());
    encoded.forEach(bytes -> effect.putInt(bytes.length).put(bytes));
    return effect.array();
  }
}
