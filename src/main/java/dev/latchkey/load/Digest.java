package dev.latchkey.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 64 bits of SHA-256, which tell responses apart without keeping them. */
final class Digest {
  private final MessageDigest sha256;

  Digest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /** Digests a response; {@code headers} is one text for all headers that count. */
  long ofResponse(int status, String headers, byte[] body) {
    sha256.update((byte) (status >> 8));
    sha256.update((byte) status);
    sha256.update(headers.getBytes(StandardCharsets.UTF_8));
    sha256.update((byte) '\n');
    return first64(sha256.digest(body));
  }

  long ofText(String text) {
    return first64(sha256.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static long first64(byte[] digest) {
    return ByteBuffer.wrap(digest).getLong();
  }
}
