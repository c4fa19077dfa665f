package dev.latchkey.web.fingerprint;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java platform must have. Used by one thread, again and again. */
final class Sha256 {

  static final int BYTES = 32;

  private final MessageDigest digest = create();

  private static MessageDigest create() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform lacks SHA-256", e);
    }
  }

  /** Forgets what a digest that was broken off may have left. */
  void clear() {
    digest.reset();
  }

  /** Returns the digest of all that was written. */
  byte[] of(ByteSink sink) {
    sink.updateInto(digest);
    return digest.digest();
  }

  /** Puts the digest of a stretch of what was written into {@code target}. */
  void of(ByteSink sink, int start, int end, byte[] target) {
    sink.updateInto(digest, start, end);
    try {
      digest.digest(target, 0, BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 does not fit into " + BYTES + " bytes", e);
    }
  }
}
