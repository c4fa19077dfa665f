package dev.latchkey.ledger;

import java.util.Optional;

/**
 * One version of a customer of a tenant. Immutable.
 *
 * @param tenant the owner
 * @param id chosen by the tenant: 1 to {@value #MAX_ID_CHARS} characters without U+0000
 * @param name up to {@value #MAX_NAME_CHARS} characters
 * @param email up to {@value #MAX_EMAIL_CHARS} characters; not checked further
 * @param createdAtEpochMillis time of creation
 * @param updatedAtEpochMillis time of the last change, never before an earlier change
 * @param version number of this version, from 1
 */
public record Customer(
    String tenant,
    String id,
    Optional<String> name,
    Optional<String> email,
    long createdAtEpochMillis,
    long updatedAtEpochMillis,
    long version) {

  /** Length limit of an id, in characters. */
  public static final int MAX_ID_CHARS = 255;

  /** Length limit of a name, in characters. */
  public static final int MAX_NAME_CHARS = 255;

  /** Length limit of an address, in characters: that of SMTP (RFC 5321) and an {@code @}. */
  public static final int MAX_EMAIL_CHARS = 320;
}
