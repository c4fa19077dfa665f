package dev.latchkey.core.spi;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes a {@link StoredResponse} for storage. Lossless for every header text, even invalid
 * Unicode. Safe for use by any thread.
 *
 * <pre>
 * version (1) | flags (1: bit 0 retained) | status (2) | headers | trailers | length (4) | body
 * headers, trailers: count (4), then name and value of each
 * text:              length in chars (4, bit 31: wide), one byte per char, or two when wide
 * </pre>
 *
 * Numbers are big-endian.
 */
public final class StoredResponseCodec {

  /** The version that is written, and the only version that is read. */
  public static final byte VERSION = 1;

  private static final int RETAINED = 1;
  private static final int FIXED_BYTES = 16;
  private static final int WIDE = 1 << 31;
  private static final int MIN_HEADER_BYTES = 8;

  private StoredResponseCodec() {}

  /**
   * Encodes a response.
   *
   * @param response the response; its body is copied
   * @return the bytes, owned by the caller
   */
  public static byte[] encode(StoredResponse response) {
    long size =
        FIXED_BYTES
            + sizeOf(response.headers())
            + sizeOf(response.trailers())
            + response.body().length();
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size));
    out.put(VERSION).put((byte) (response.retained() ? RETAINED : 0));
    out.putShort((short) response.status());
    putHeaders(out, response.headers());
    putHeaders(out, response.trailers());
    out.putInt(response.body().length());
    response.body().getBytes(out.array(), out.position());
    return out.array();
  }

  /**
   * Decodes the result of {@link #encode}.
   *
   * @param bytes the whole record, copied
   * @return the response
   * @throws StoreException with {@link StoreException.Outcome#NOT_DONE} if the version is unknown
   *     or the record is incomplete; a retry on this node cannot succeed
   */
  public static StoredResponse decode(byte[] bytes) {
    try {
      return read(ByteBuffer.wrap(bytes));
    } catch (BufferUnderflowException truncated) {
      throw corrupt("is truncated at byte " + bytes.length);
    }
  }

  private static StoredResponse read(ByteBuffer in) {
    int version = in.get() & 0xFF;
    if (version != VERSION) {
      throw corrupt(
          "has version " + version + "; this node reads " + VERSION + ". A newer node wrote it");
    }
    int flags = in.get() & 0xFF;
    if (flags > RETAINED) {
      throw corrupt("has unknown flags " + flags);
    }
    int status = in.getShort() & 0xFFFF;
    List<Header> headers = headers(in);
    List<Header> trailers = headers(in);
    int length = length(in);
    if (in.remaining() > length) {
      throw corrupt("has " + (in.remaining() - length) + " extra bytes");
    }
    Buffer body = Buffer.buffer(bytes(in, length));
    return new StoredResponse(flags == RETAINED, status, headers, body, trailers);
  }

  private static long sizeOf(List<Header> headers) {
    long size = 0;
    for (Header header : headers) {
      size += sizeOf(header.name()) + sizeOf(header.value());
    }
    return size;
  }

  private static long sizeOf(String text) {
    return 4L + (isWide(text) ? 2L * text.length() : text.length());
  }

  private static boolean isWide(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xFF) {
        return true;
      }
    }
    return false;
  }

  private static void putHeaders(ByteBuffer out, List<Header> headers) {
    out.putInt(headers.size());
    for (Header header : headers) {
      putText(out, header.name());
      putText(out, header.value());
    }
  }

  private static void putText(ByteBuffer out, String text) {
    boolean wide = isWide(text);
    out.putInt(wide ? text.length() | WIDE : text.length());
    for (int i = 0; i < text.length(); i++) {
      if (wide) {
        out.putChar(text.charAt(i));
      } else {
        out.put((byte) text.charAt(i));
      }
    }
  }

  private static List<Header> headers(ByteBuffer in) {
    int count = length(in);
    need(in, (long) count * MIN_HEADER_BYTES);
    List<Header> headers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      headers.add(new Header(text(in), text(in)));
    }
    return headers;
  }

  private static String text(ByteBuffer in) {
    int head = in.getInt();
    int chars = head & ~WIDE;
    if ((head & WIDE) == 0) {
      return new String(bytes(in, chars), StandardCharsets.ISO_8859_1);
    }
    need(in, 2L * chars);
    // A charset decoder would replace invalid Unicode.
    char[] text = new char[chars];
    in.asCharBuffer().get(text);
    in.position(in.position() + 2 * chars);
    return new String(text);
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    need(in, length);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int length(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0) {
      throw corrupt("has the negative length " + length);
    }
    return length;
  }

  private static void need(ByteBuffer in, long bytes) {
    if (bytes > in.remaining()) {
      throw new BufferUnderflowException();
    }
  }

  private static StoreException corrupt(String what) {
    return new StoreException(
        StoreException.Outcome.NOT_DONE,
        "A stored response " + what + ". A retry on this node cannot succeed.");
  }
}
