package dev.latchkey.core.spi;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
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
    int bodyBytes = response.body().length();
    long size = (long) FIXED_BYTES + bodyBytes;
    size += sizeOf(response.headers()) + sizeOf(response.trailers());
    byte[] bytes = new byte[Math.toIntExact(size)];
    bytes[0] = VERSION;
    bytes[1] = (byte) (response.retained() ? RETAINED : 0);
    bytes[2] = (byte) (response.status() >>> 8);
    bytes[3] = (byte) response.status();
    int at = putHeaders(bytes, 4, response.headers());
    at = putHeaders(bytes, at, response.trailers());
    at = putInt(bytes, at, bodyBytes);
    response.body().getBytes(bytes, at);
    return bytes;
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
    Reader in = new Reader(bytes);
    int version = in.unsignedByte("version");
    if (version != VERSION) {
      throw corrupt(
          "has version " + version + "; this node reads " + VERSION + ". A newer node wrote it");
    }
    int flags = in.unsignedByte("flags");
    if (flags > RETAINED) {
      throw corrupt("has unknown flags " + flags);
    }
    int status = (in.unsignedByte("status") << 8) | in.unsignedByte("status");
    List<Header> headers = in.headers("headers");
    List<Header> trailers = in.headers("trailers");
    Buffer body = in.body();
    return new StoredResponse(flags == RETAINED, status, headers, body, trailers);
  }

  private static long sizeOf(List<Header> headers) {
    long size = 0;
    for (int i = 0; i < headers.size(); i++) {
      size += sizeOf(headers.get(i).name()) + sizeOf(headers.get(i).value());
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

  private static int putHeaders(byte[] to, int start, List<Header> headers) {
    int at = putInt(to, start, headers.size());
    for (int i = 0; i < headers.size(); i++) {
      at = putText(to, at, headers.get(i).name());
      at = putText(to, at, headers.get(i).value());
    }
    return at;
  }

  private static int putText(byte[] to, int start, String text) {
    boolean wide = isWide(text);
    int at = putInt(to, start, wide ? text.length() | WIDE : text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (wide) {
        to[at++] = (byte) (c >>> 8);
      }
      to[at++] = (byte) c;
    }
    return at;
  }

  private static int putInt(byte[] to, int at, int value) {
    to[at] = (byte) (value >>> 24);
    to[at + 1] = (byte) (value >>> 16);
    to[at + 2] = (byte) (value >>> 8);
    to[at + 3] = (byte) value;
    return at + 4;
  }

  private static StoreException corrupt(String what) {
    return new StoreException(
        StoreException.Outcome.NOT_DONE,
        "A stored response " + what + ". A retry on this node cannot succeed.");
  }

  /** Reads forward; rejects a read past the end. */
  private static final class Reader {

    private final byte[] bytes;
    private int at;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    int unsignedByte(String part) {
      need(part, 1);
      return bytes[at++] & 0xFF;
    }

    List<Header> headers(String part) {
      int count = length(part);
      need(part, (long) count * MIN_HEADER_BYTES);
      List<Header> headers = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        headers.add(new Header(text(part), text(part)));
      }
      return headers;
    }

    Buffer body() {
      int length = length("body");
      if (bytes.length - at > length) {
        throw corrupt("has " + (bytes.length - at - length) + " extra bytes");
      }
      need("body", length);
      return Buffer.buffer(length).appendBytes(bytes, at, length);
    }

    private String text(String part) {
      int header = number(part);
      int chars = header & ~WIDE;
      boolean wide = (header & WIDE) != 0;
      need(part, wide ? 2L * chars : chars);
      int start = at;
      at += wide ? 2 * chars : chars;
      if (!wide) {
        return new String(bytes, start, chars, StandardCharsets.ISO_8859_1);
      }
      // A charset decoder would replace invalid Unicode.
      char[] text = new char[chars];
      for (int i = 0; i < chars; i++) {
        text[i] = (char) ((bytes[start + 2 * i] << 8) | (bytes[start + 2 * i + 1] & 0xFF));
      }
      return new String(text);
    }

    private int length(String part) {
      int length = number(part);
      if (length < 0) {
        throw corrupt("has the negative length " + length + " for its " + part);
      }
      return length;
    }

    private int number(String part) {
      need(part, 4);
      int value =
          (bytes[at] & 0xFF) << 24
              | (bytes[at + 1] & 0xFF) << 16
              | (bytes[at + 2] & 0xFF) << 8
              | (bytes[at + 3] & 0xFF);
      at += 4;
      return value;
    }

    private void need(String part, long count) {
      if (count > bytes.length - at) {
        throw corrupt("is truncated in its " + part + ", at byte " + bytes.length);
      }
    }
  }
}
