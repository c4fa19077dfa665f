package dev.latchkey.ledger;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What must be true of a resource for a write to happen, or a read to be answered (RFC 9110,
 * section 13.1). Whoever writes decides it in the same atomic step.
 *
 * @param ifMatch the resource must be there at one of these versions
 * @param ifNoneMatch the resource must not be there at any of these versions
 */
public record Precondition(Optional<Versions> ifMatch, Optional<Versions> ifNoneMatch) {

  /** Always holds. */
  public static final Precondition NONE = new Precondition(Optional.empty(), Optional.empty());

  /** Some versions of a resource. */
  public sealed interface Versions {

    /**
     * Whether a version is one of these.
     *
     * @param version the version
     * @return true if so
     */
    boolean contain(long version);
  }

  /** Every version, whatever it is. */
  public record Any() implements Versions {
    @Override
    public boolean contain(long version) {
      return true;
    }
  }

  /**
   * These and no other.
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
   * Whether it is true of a resource.
   *
   * @param version where the resource is; empty when there is none
   * @return true when the write may happen
   */
  public boolean holds(OptionalLong version) {
    return matches(version) && noneMatches(version);
  }

  /**
   * Whether {@code ifMatch} alone is true of a resource.
   *
   * @param version where the resource is; empty when there is none
   * @return true also when nothing is said about it
   */
  public boolean matches(OptionalLong version) {
    return ifMatch
        .map(these -> version.isPresent() && these.contain(version.getAsLong()))
        .orElse(true);
  }

  /**
   * Whether {@code ifNoneMatch} alone is true of a resource.
   *
   * @param version where the resource is; empty when there is none
   * @return true also when nothing is said about it
   */
  public boolean noneMatches(OptionalLong version) {
    return ifNoneMatch
        .map(these -> version.isEmpty() || !these.contain(version.getAsLong()))
        .orElse(true);
  }
}
