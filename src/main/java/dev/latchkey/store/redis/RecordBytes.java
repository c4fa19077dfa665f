package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Parts of a record as they stand in Redis, put together here so that the scripts have little to
 * do. {@code core.lua} says what a record is.
 */
final class RecordBytes {

  private static final int VERSION = 1;
  private static final byte IN_PROGRESS = 1;
  private static final int HEAD_BYTES = 90;
  private static final int BEGINNING_BYTES = 11;
  private static final int FINGERPRINT_BYTES = 32;
  private static final int TOKEN_BYTES = 16;
  private static final byte COMPLETED = 2;

  /** Where these stand in the string of a key that has one record. */
  private static final int LENGTH_AT = 1;

  private static final int PHASE_AT = 5;
  private static final int EXPIRY_AT = 19;
  private static final int FINGERPRINT_AT = 35;
  private static final int SKETCH_LENGTH_AT = 67;
  private static final int STEPS_LENGTH_AT = 85;
  private static final int ROUTE_LENGTH_AT = 89;

  private RecordBytes() {}

  /** A route with its length before it. */
  static byte[] route(String route) {
    byte[] escaped = escaped(route);
    return ByteBuffer.allocate(Short.BYTES + escaped.length)
        .putShort((short) escaped.length)
        .put(escaped)
        .array();
  }

  /** What tells a claim: from the token to the route. */
  static byte[] held(Claim claim) {
    byte[] route = escaped(claim.key().route());
    ByteBuffer held = ByteBuffer.allocate(heldBytes(route));
    putHeld(held, claim, route);
    return held.array();
  }

  private static int heldBytes(byte[] route) {
    return TOKEN_BYTES + Integer.BYTES + Short.BYTES + route.length;
  }

  private static void putHeld(ByteBuffer to, Claim claim, byte[] route) {
    to.putLong(claim.token().high()).putLong(claim.token().low());
    to.putInt(0).putShort((short) route.length).put(route);
  }

  /** The arguments of {@code claim.lua}: the record of a first use around its times, and more. */
  static List<Object> firstUse(ClaimRequest request) {
    Claim claim = request.claim();
    byte[] route = escaped(claim.key().route());
    byte[] sketch = claim.fingerprint().memberSketch();
    byte[] beginning =
        ByteBuffer.allocate(BEGINNING_BYTES)
            .put((byte) VERSION)
            .putInt(HEAD_BYTES + route.length + sketch.length)
            .put(IN_PROGRESS)
            .put((byte) 0)
            .putInt(1)
            .array();
    ByteBuffer ending =
        ByteBuffer.allocate(FINGERPRINT_BYTES + Short.BYTES + heldBytes(route) + sketch.length)
            .put(claim.fingerprint().hash())
            .putShort((short) sketch.length);
    putHeld(ending, claim, route);
    ending.put(sketch);
    return List.of(
        beginning,
        ending.array(),
        Long.toString(RedisStore.bounded(claim.leaseMillis())),
        Long.toString(RedisStore.bounded(request.retentionMillis())),
        request.mode().name());
  }

  /**
   * Finds what a request can be answered with in the string of its key.
   *
   * @param value the whole string
   * @param leftMillis the time that the string has left
   * @return empty unless the string is one completed record of the very same request, which
   *     therefore leaves with the string; then a script has to look
   */
  static Optional<ClaimResult> replay(byte[] value, ClaimRequest request, long leftMillis) {
    ByteBuffer record = ByteBuffer.wrap(value);
    byte[] route = escaped(request.claim().key().route());
    int texts = ROUTE_LENGTH_AT + Short.BYTES;
    boolean alone =
        leftMillis > 0
            && value.length >= texts + route.length
            && value[0] == VERSION
            && record.getInt(LENGTH_AT) == value.length - 1
            && value[PHASE_AT] == COMPLETED
            && record.getInt(STEPS_LENGTH_AT) == 0;
    if (!alone
        || Short.toUnsignedInt(record.getShort(ROUTE_LENGTH_AT)) != route.length
        || !same(value, texts, route)
        || !same(value, FINGERPRINT_AT, request.claim().fingerprint().hash())) {
      return Optional.empty();
    }
    int answer = texts + route.length + Short.toUnsignedInt(record.getShort(SKETCH_LENGTH_AT));
    if (answer > value.length) {
      return Optional.empty();
    }
    StoredResponse response =
        StoredResponseCodec.decode(Arrays.copyOfRange(value, answer, value.length));
    Expiry expiry = new Expiry(record.getLong(EXPIRY_AT), leftMillis);
    return Optional.of(new ClaimResult.Completed(response, expiry));
  }

  private static boolean same(byte[] value, int from, byte[] expected) {
    return Arrays.equals(value, from, from + expected.length, expected, 0, expected.length);
  }

  private static byte[] escaped(String route) {
    return RedisKeys.escaped(route).getBytes(StandardCharsets.US_ASCII);
  }
}
