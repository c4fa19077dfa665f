package dev.latchkey.core.spi;

/**
 * The result of removing expired records.
 *
 * @param purged number of removed records
 * @param moreRemain whether expired records may remain, so that another purge should follow soon
 */
public record PurgeResult(int purged, boolean moreRemain) {

  /** Nothing was removed and nothing remains. */
  public static final PurgeResult NONE = new PurgeResult(0, false);

  /**
   * Makes the result of a purge that is bounded by its limit alone.
   *
   * @param purged number of removed records
   * @param limit of the purge
   * @return the result; more may remain if the limit was reached
   */
  public static PurgeResult of(int purged, int limit) {
    return new PurgeResult(purged, purged >= limit);
  }
}
