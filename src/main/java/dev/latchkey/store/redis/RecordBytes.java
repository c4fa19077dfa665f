package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

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

  private static byte[] escaped(String route) {
    return RedisKeys.escaped(route).getBytes(StandardCharsets.US_ASCII);
  }
}
