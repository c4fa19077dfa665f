package dev.latchkey.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The requests of a run: equal payments, under keys that differ in a number, which is overwritten
 * in place. Not thread-safe.
 */
final class Requests {

  private static final int DIGITS = 10;

  private final byte[] bytes;
  private final int keyEnd;
  private long next;

  /**
   * Makes requests under unique keys.
   *
   * @param method the payment method
   */
  Requests(String method) {
    this("bench-" + UUID.randomUUID(), method);
  }

  Requests(String prefix, String method) {
    String body =
        "{\"amount\":1250,\"currency\":\"EUR\",\"payment_method\":\""
            + method
            + "\",\"customer\":\"customer-17\",\"description\":\"Order 1017, two items\","
            + "\"metadata\":{\"order\":\"1017\",\"channel\":\"web\"}}";
    String head = "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: \"";
    String key = prefix + "-" + "0".repeat(DIGITS);
    keyEnd = head.length() + key.length();
    String request =
        head
            + key
            + "\"\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    bytes = request.getBytes(StandardCharsets.US_ASCII);
  }

  /** The next request under a key of its own; valid until the next call. */
  ByteBuffer next() {
    return of(next++);
  }

  /** The request under a certain key. */
  ByteBuffer of(long number) {
    long rest = number;
    for (int i = 1; i <= DIGITS; i++) {
      bytes[keyEnd - i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return ByteBuffer.wrap(bytes);
  }
}
