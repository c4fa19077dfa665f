package dev.latchkey.ledger;

import java.util.Optional;

/**
 * A customer of a tenant as it stood at one version. Immutable.
 *
 * @param tenant whose
 * @param id the tenant's own choice: 1 to {@value #MAX_ID_CHARS} characters of any text without
 *     U+0000
 * @param name up to {@value #MAX_NAME_CHARS} characters
 * @param email up to {@value #MAX_EMAIL_CHARS} characters; not checked further
 * @param createdAtEpochMillis when it was made
 * @param updatedAtEpochMillis when it changed last, never before an earlier change
 * @param version counts the states, from 1
 */
public record Customer(
    String tenant,
    String id,
    Optional<String> name,
    Optional<String> email,
    long createdAtEpochMillis,
    long updatedAtEpochMillis,
    long version) {

  /** Longest id, in characters. */
  public static final int MAX_ID_CHARS = 255;

  /** Longest name, in characters. */
  public static final int MAX_NAME_CHARS = 255;

  /** Longest address, in characters: the most that SMTP can carry (RFC 5321), and an {@code @}. */
  public static final int MAX_EMAIL_CHARS = 320;
}
