package dev.latchkey.idempotency.impl.fingerprint;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java platform must have. */
final class Sha256 {

  private Sha256() {}

  /** Returns a digest for one thread. */
  static MessageDigest create() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform lacks SHA-256", e);
    }
  }
}
