package dev.latchkey.web.fingerprint;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A SHA-256 over parts that cannot run into each other. Used by one thread, and finished before the
 * thread creates another.
 */
final class Sha256 {

  /** Looking the algorithm up costs more than hashing a small request. */
  private static final ThreadLocal<MessageDigest> DIGEST = ThreadLocal.withInitial(Sha256::create);

  private final MessageDigest digest = DIGEST.get();

  Sha256() {
    digest.reset(); // an earlier one may not have been finished
  }

  private static MessageDigest create() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform lacks SHA-256", e);
    }
  }

  void addByte(int value) {
    digest.update((byte) value);
  }

  void addInt(int value) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(value).flip());
  }

  void addBytes(byte[] bytes) {
    digest.update(bytes);
  }

  /** Adds the length of a text and its UTF-16 code units, which also keep lone surrogates apart. */
  void addText(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * text.length());
    bytes.putInt(text.length());
    bytes.asCharBuffer().put(text);
    digest.update(bytes.array());
  }

  /** Returns the hash of everything added since the last call. */
  byte[] finish() {
    return digest.digest();
  }
}
