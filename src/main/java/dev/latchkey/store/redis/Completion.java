package dev.latchkey.store.redis;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.StoredResponseCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is sent to complete a key: {@code complete.lua} says in which order. */
record Completion(List<String> keys, List<Object> args) {

  private static final String UNKNOWN_KIND = "0";

  static Completion of(
      Claim claim,
      StoredResponse response,
      List<Effect> effects,
      RedisEffectKinds kinds,
      String channel) {
    String record = RedisKeys.records(claim.key().tenant(), claim.key().key());
    List<String> keys = new ArrayList<>(List.of(record));
    List<Object> args = new ArrayList<>();
    args.add(RedisKeys.escaped(claim.key().route()));
    args.add(Replies.bytes(claim.token()));
    args.add(Long.toString(RedisStore.bounded(claim.leaseMillis())));
    args.add(channel);
    args.add(StoredResponseCodec.encode(response));
    String ofTenant = record.substring(0, record.indexOf('}') + 1);
    for (Effect effect : effects) {
      Optional<RedisEffectKind> kind = kinds.kindOf(effect);
      List<String> touched = kind.map(it -> it.keys(effect)).orElse(List.of());
      // A key of another tenant may live on another server, where this script cannot reach it.
      boolean known = kind.isPresent() && touched.stream().allMatch(it -> it.startsWith(ofTenant));
      if (!known) {
        args.addAll(List.of(UNKNOWN_KIND, UNKNOWN_KIND, UNKNOWN_KIND));
        continue;
      }
      List<Object> said = kind.get().args(effect);
      args.add(Integer.toString(kinds.all().indexOf(kind.get()) + 1));
      args.add(Integer.toString(touched.size()));
      args.add(Integer.toString(said.size()));
      keys.addAll(touched);
      args.addAll(said);
    }
    return new Completion(keys, args);
  }
}
