package dev.latchkey.ledger;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A condition on the version of a resource for a write or a read (RFC 9110, section 13.1). A write
 * checks it in the same atomic step.
 *
 * @param ifMatch the resource must exist at one of these versions
 * @param ifNoneMatch the resource must not exist at any of these versions
 */
public record Precondition(Optional<Versions> ifMatch, Optional<Versions> ifNoneMatch) {

  /** A condition that always holds. */
  public static final Precondition NONE = new Precondition(Optional.empty(), Optional.empty());

  /** A set of versions of a resource. */
  public sealed interface Versions {

    /**
     * Returns whether the set contains a version.
     *
     * @param version the version
     * @return true if it does
     */
    boolean contain(long version);
  }

  /** All versions. */
  public record Any() implements Versions {
    @Override
    public boolean contain(long version) {
      return true;
    }
  }

  /**
   * Some versions.
   *
   * @param versions possibly none
   */
  public record OneOf(Set<Long> versions) implements Versions {

    /** Copies the set. */
    public OneOf {
      versions = Set.copyOf(versions);
    }

    @Override
    public boolean contain(long version) {
      return versions.contains(version);
    }
  }

  /**
   * Returns whether the condition holds.
   *
   * @param version current version of the resource; empty if it does not exist
   * @return true if it holds
   */
  public boolean holds(OptionalLong version) {
    return matches(version) && noneMatches(version);
  }

  /**
   * Returns whether {@code ifMatch} alone holds.
   *
   * @param version current version of the resource; empty if it does not exist
   * @return true if it holds, or is absent
   */
  public boolean matches(OptionalLong version) {
    return ifMatch
        .map(these -> version.isPresent() && these.contain(version.getAsLong()))
        .orElse(true);
  }

  /**
   * Returns whether {@code ifNoneMatch} alone holds.
   *
   * @param version current version of the resource; empty if it does not exist
   * @return true if it holds, or is absent
   */
  public boolean noneMatches(OptionalLong version) {
    return ifNoneMatch
        .map(these -> version.isEmpty() || !these.contain(version.getAsLong()))
        .orElse(true);
  }
}
