package dev.latchkey.store.redis;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.StoredResponseCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is sent to complete a key: {@code complete.lua} says in which order. */
record Completion(List<String> keys, List<Object> args) {

  private static final String REFUSED = "0";
  private static final String NONE = "0";

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
    List<String> keys = new ArrayList<>(List.of(record));
    List<Object> args = new ArrayList<>();
    args.add(RedisKeys.escaped(claim.key().route()));
    args.add(Replies.bytes(claim.token()));
    args.add(Long.toString(RedisStore.bounded(claim.leaseMillis())));
    args.add(RedisStore.CHANNEL);
    args.add(StoredResponseCodec.encode(response));
    Completion completion = new Completion(keys, args);
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
        int number = kinds.all().indexOf(kind.get()) + 1;
        List<String> toReserve = reserving ? reserved : List.of();
        completion.add(number, touched, kind.get().args(effect), toReserve, tenant);
      }
    }
    return completion;
  }

  private void addRefused(String why) {
    args.addAll(List.of(REFUSED, NONE, "1", NONE, why));
  }

  private void add(
      int kind, List<String> touched, List<Object> said, List<String> reserved, String tenant) {
    args.add(Integer.toString(kind));
    args.add(Integer.toString(touched.size()));
    args.add(Integer.toString(said.size()));
    args.add(Integer.toString(reserved.size()));
    args.addAll(said);
    args.addAll(Collections.nCopies(reserved.size(), RedisKeys.escaped(tenant)));
    keys.addAll(touched);
    keys.addAll(reserved);
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
