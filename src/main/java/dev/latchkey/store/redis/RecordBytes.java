package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Encodes parts of a record for the scripts, which leaves them little to do. {@code core.lua}
 * describes a record.
 */
final class RecordBytes {

  private static final int VERSION = 1;
  private static final byte IN_PROGRESS = 1;
  private static final int HEAD_BYTES = 90;
  private static final int BEGINNING_BYTES = 11;
  private static final int FINGERPRINT_BYTES = 32;
  private static final int TOKEN_BYTES = 16;

  /** Longest lease and retention in Redis, about 1,000 years: sums stay exact in Lua. */
  private static final long MAX_MILLIS = TimeUnit.DAYS.toMillis(365_000);

  private RecordBytes() {}

  static long bounded(long millis) {
    return Math.min(millis, MAX_MILLIS);
  }

  /** A route after its length. */
  static byte[] route(String route) {
    byte[] escaped = escaped(route);
    return ByteBuffer.allocate(Short.BYTES + escaped.length)
        .putShort((short) escaped.length)
        .put(escaped)
        .array();
  }

  /** What identifies a claim in its record: from the token to the route. */
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

  /** The arguments of {@code claim.lua}: the record of a first use around its times, lease, etc. */
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
        Long.toString(bounded(claim.leaseMillis())),
        Long.toString(bounded(request.retentionMillis())),
        request.mode().name());
  }

  private static byte[] escaped(String route) {
    return RedisKeys.escaped(route).getBytes(StandardCharsets.US_ASCII);
  }
}
