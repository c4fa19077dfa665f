package dev.latchkey.core.spi;

/** What a read finds under a key. The reader compares the fingerprint itself. */
public sealed interface KeyState {

  /** Never claimed, expired, or forgotten by the store. */
  record Absent() implements KeyState {}

  /** A key that the store knows. */
  sealed interface Known extends KeyState {
    /** The request that the key names, with the member sketch of its first use. */
    Fingerprint fingerprint();
  }

  /**
   * Claimed, not completed; the lease may be over.
   *
   * @param fingerprint the request that the key names
   * @param token of the present or last owner
   * @param leaseLeftMillis until the lease ends, 0 when it has
   */
  record InProgress(Fingerprint fingerprint, Token token, long leaseLeftMillis) implements Known {}

  /**
   * Finished.
   *
   * @param fingerprint the request that the key names
   * @param token of the attempt that completed it
   * @param response the stored answer
   * @param expiry when the key will be free
   */
  record Completed(Fingerprint fingerprint, Token token, StoredResponse response, Expiry expiry)
      implements Known {}

  /**
   * The last attempt ended without a stored answer.
   *
   * @param fingerprint the request that the key still names
   * @param token of the attempt that was released
   */
  record Released(Fingerprint fingerprint, Token token) implements Known {}
}
