package dev.latchkey.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes HTTP/2 requests that client libraries refuse to send. */
final class RawHttp2 {

  /** A RST_STREAM frame (RFC 9113, section 6.4), one character a byte. */
  static final String PROTOCOL_ERROR_ON_FIRST_STREAM = "\0\0\4\3\0\0\0\0\1\0\0\0\1";

  private static final int SETTINGS = 4;
  private static final int HEADERS = 1;
  private static final int END_STREAM_AND_HEADERS = 5;

  private RawHttp2() {}

  /** A connection's beginning and one request without a body on its first stream. */
  static byte[] post(String path, List<String> headers) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(bytes, SETTINGS, 0, 0, new byte[0]);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", "POST");
    field(block, ":scheme", "http");
    field(block, ":authority", "a");
    field(block, ":path", path);
    for (int i = 0; i < headers.size(); i += 2) {
      field(block, headers.get(i), headers.get(i + 1));
    }
    frame(bytes, HEADERS, END_STREAM_AND_HEADERS, 1, block.toByteArray());
    return bytes.toByteArray();
  }

  /** RFC 7541, section 6.2.2: a literal, not indexed, not compressed, of up to 126 bytes. */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    block.write(name.length());
    block.writeBytes(name.getBytes(StandardCharsets.ISO_8859_1));
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** RFC 9113, section 4.1. */
  private static void frame(
      ByteArrayOutputStream bytes, int type, int flags, int stream, byte[] payload) {
    bytes.write(payload.length >> 16);
    bytes.write(payload.length >> 8);
    bytes.write(payload.length);
    bytes.write(type);
    bytes.write(flags);
    bytes.writeBytes(new byte[] {0, 0, 0, (byte) stream});
    bytes.writeBytes(payload);
  }
}
