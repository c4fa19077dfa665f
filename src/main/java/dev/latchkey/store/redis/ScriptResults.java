package dev.latchkey.store.redis;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Token;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Decodes the results of the scripts. */
final class ScriptResults {

  private static final int ABSENT = 0;
  private static final int IN_PROGRESS = 1;
  private static final int COMPLETED = 2;
  private static final int RELEASED = 3;

  private ScriptResults() {}

  /** Decodes the result of a claim; a first use returns only its expiry. */
  static ClaimResult claim(Response result, long retentionMillis) {
    if (result.type() == ResponseType.NUMBER) {
      Expiry expiry = new Expiry(result.toLong(), retentionMillis);
      return new ClaimResult.Claimed(1, Map.of(), expiry, false);
    }
    int code = result.get(0).toInteger();
    return switch (code) {
      case 1 ->
          new ClaimResult.Claimed(
              result.get(1).toInteger(),
              steps(result.get(5).toBuffer()),
              expiry(result, 3),
              result.get(2).toInteger() == 1);
      case 2 -> new ClaimResult.InFlight(result.get(1).toLong());
      case 3 -> new ClaimResult.Completed(response(result.get(1)), expiry(result, 2));
      case 4 -> mismatch(result);
      case 5 -> new ClaimResult.Released();
      case 6 -> new ClaimResult.Lapsed();
      case 7 -> new ClaimResult.Withdrawn();
      default -> throw unexpected("claim", code);
    };
  }

  private static ClaimResult mismatch(Response result) {
    Phase phase = phase(result.get(1).toInteger());
    return new ClaimResult.Mismatch(
        phase,
        fingerprint(result, 2),
        phase == Phase.COMPLETED ? Optional.of(expiry(result, 4)) : Optional.empty());
  }

  static KeyState state(Response result) {
    int phase = result.get(0).toInteger();
    if (phase == ABSENT) {
      return new KeyState.Absent();
    }
    Fingerprint fingerprint = fingerprint(result, 1);
    Token token = token(bytes(result.get(3)));
    return switch (phase) {
      case IN_PROGRESS -> new KeyState.InProgress(fingerprint, token, result.get(4).toLong());
      case COMPLETED ->
          new KeyState.Completed(fingerprint, token, response(result.get(4)), expiry(result, 5));
      case RELEASED -> new KeyState.Released(fingerprint, token);
      default -> throw unexpected("read", phase);
    };
  }

  static List<KeyRecord> records(String tenant, String key, Response result) {
    List<KeyRecord> records = new ArrayList<>();
    for (Response one : result) {
      Phase phase = phase(one.get(1).toInteger());
      OptionalInt status = OptionalInt.empty();
      Optional<String> location = Optional.empty();
      if (phase == Phase.COMPLETED) {
        StoredResponse stored = response(one.get(5));
        status = OptionalInt.of(stored.status());
        location = stored.header("Location");
      }
      records.add(
          new KeyRecord(
              new ScopedKey(tenant, RedisKeys.unescaped(one.get(0).toString()), key),
              phase,
              one.get(2).toInteger(),
              status,
              location,
              one.get(3).toLong(),
              one.get(4).toLong()));
    }
    return records;
  }

  static StoredResponse response(Response stored) {
    return StoredResponseCodec.decode(bytes(stored));
  }

  /** Decodes an instant and the time left until then. */
  static Expiry expiry(Response result, int at) {
    return new Expiry(result.get(at).toLong(), result.get(at + 1).toLong());
  }

  /** Reads a hash and the member sketch after it. */
  private static Fingerprint fingerprint(Response result, int at) {
    return Fingerprint.of(bytes(result.get(at)), bytes(result.get(at + 1)));
  }

  private static Token token(byte[] bytes) {
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    return new Token(halves.getLong(), halves.getLong());
  }

  private static byte[] bytes(Response bulk) {
    return bulk.toBytes();
  }

  /** Decodes steps; {@code step.lua} describes them. */
  private static Map<String, Buffer> steps(Buffer packed) {
    if (packed.length() == 0) {
      return Map.of();
    }
    Map<String, Buffer> steps = new LinkedHashMap<>();
    int at = 0;
    while (at < packed.length()) {
      int nameLength = packed.getUnsignedShort(at);
      int resultLength = packed.getInt(at + 2);
      int name = at + 6;
      int result = name + nameLength;
      at = result + resultLength;
      steps.put(RedisKeys.unescaped(packed.getString(name, result)), packed.getBuffer(result, at));
    }
    return Collections.unmodifiableMap(steps);
  }

  private static Phase phase(int number) {
    return switch (number) {
      case IN_PROGRESS -> Phase.IN_PROGRESS;
      case COMPLETED -> Phase.COMPLETED;
      case RELEASED -> Phase.RELEASED;
      default -> throw unexpected("phase", number);
    };
  }

  private static IllegalStateException unexpected(String what, int number) {
    return new IllegalStateException(
        what + " returned " + number + ", which this node does not know");
  }
}
