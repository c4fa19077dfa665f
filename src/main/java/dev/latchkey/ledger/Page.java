package dev.latchkey.ledger;

import java.util.List;

/**
 * One page of a list.
 *
 * @param data newest first
 * @param hasMore whether older elements follow
 * @param <T> type of the elements
 */
public record Page<T>(List<T> data, boolean hasMore) {

  /** Copies the list. */
  public Page {
    data = List.copyOf(data);
  }

  /**
   * Makes a page of elements that were read with one more than the page holds.
   *
   * @param elements newest first, at most {@code limit + 1}
   * @param limit maximum number of elements of the page
   * @return the page
   */
  public static <T> Page<T> of(List<T> elements, int limit) {
    boolean more = elements.size() > limit;
    return new Page<>(more ? elements.subList(0, limit) : elements, more);
  }
}
