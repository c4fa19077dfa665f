package dev.latchkey.core;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request as it was sent: all of it that its fingerprint is made of, and that may decide whether
 * it is sound. Two are the same when they are so byte for byte; nothing is compared by a hash.
 * Immutable.
 */
public final class SentRequest {

  /** Longest request that is kept in this form, in bytes; most are much shorter. */
  static final int MAX_BYTES = 4 * 1024;

  private static final int LENGTH_BYTES = 2;
  private static final int ABSENT = 0xFFFF;
  private static final long OBJECT_BYTES = 48;

  private final Object handler;
  private final byte[] bytes;

  private SentRequest(Object handler, byte[] bytes) {
    this.handler = handler;
    this.bytes = bytes;
  }

  /**
   * Puts the parts of a request together.
   *
   * @param handler who handles it, compared by identity
   * @param body all bytes, copied
   * @param parts the others in a fixed order, null for one that is not there
   * @return empty when it is longer than what is kept, or not made of single bytes
   */
  public static Optional<SentRequest> of(
      Object handler, Buffer body, List<@Nullable String> parts) {
    int size = body.length();
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      size += LENGTH_BYTES + (part == null ? 0 : part.length());
      if (size > MAX_BYTES) {
        return Optional.empty();
      }
    }
    byte[] bytes = new byte[size];
    int at = 0;
    for (int i = 0; i < parts.size(); i++) {
      at = put(bytes, at, parts.get(i));
      if (at < 0) {
        return Optional.empty();
      }
    }
    body.getBytes(bytes, at);
    return Optional.of(new SentRequest(handler, bytes));
  }

  /** Returns where the next part goes; negative when this one has wider characters. */
  private static int put(byte[] bytes, int start, @Nullable String part) {
    int length = part == null ? ABSENT : part.length();
    bytes[start] = (byte) (length >>> 8);
    bytes[start + 1] = (byte) length;
    int at = start + LENGTH_BYTES;
    if (part != null) {
      for (int i = 0; i < length; i++) {
        char c = part.charAt(i);
        if (c > 0xFF) {
          return -1;
        }
        bytes[at++] = (byte) c;
      }
    }
    return at;
  }

  /**
   * Compares.
   *
   * @param other of any request
   * @return whether both are the same, and handled by the same
   */
  @SuppressWarnings("ReferenceEquality") // two handlers may judge one request differently
  boolean isSame(SentRequest other) {
    return handler == other.handler && Arrays.equals(bytes, other.bytes);
  }

  /** Returns roughly how many bytes this occupies on the heap. */
  long weightBytes() {
    return OBJECT_BYTES + bytes.length;
  }
}
