package dev.latchkey.web.fingerprint;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A SHA-256 over parts that cannot run into each other. Used by one thread. */
final class Sha256 {

  private final MessageDigest digest;

  Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
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
