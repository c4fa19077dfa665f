package dev.latchkey.core.spi;

/** The state of a key as read. The reader compares the fingerprint. */
public sealed interface KeyState {

  /** Never claimed, expired, or lost by the store. */
  record Absent() implements KeyState {}

  /** A key with a record. */
  sealed interface Known extends KeyState {
    /** Returns the fingerprint of the key's first use, with its member sketch. */
    Fingerprint fingerprint();
  }

  /**
   * Claimed and not completed. The lease may have expired.
   *
   * @param fingerprint of the key's first use
   * @param token of the owner
   * @param leaseLeftMillis time until the lease expires; 0 if it has expired
   */
  record InProgress(Fingerprint fingerprint, Token token, long leaseLeftMillis) implements Known {
    /** Limits the time to that of a lease. */
    public InProgress {
      leaseLeftMillis = Math.min(leaseLeftMillis, Expiry.MAX_DURATION_MILLIS);
    }
  }

  /**
   * Completed.
   *
   * @param fingerprint of the key's first use
   * @param token of the attempt that completed it
   * @param response the stored response
   * @param expiry when the key expires
   */
  record Completed(Fingerprint fingerprint, Token token, StoredResponse response, Expiry expiry)
      implements Known {}

  /**
   * The last attempt ended without a stored response.
   *
   * @param fingerprint of the key's first use, which still guards the key
   * @param token of the released attempt
   */
  record Released(Fingerprint fingerprint, Token token) implements Known {}
}
