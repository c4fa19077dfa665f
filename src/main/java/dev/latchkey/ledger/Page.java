package dev.latchkey.ledger;

import java.util.List;

/**
 * A part of a list.
 *
 * @param data newest first
 * @param hasMore whether older ones follow
 */
public record Page(List<Payment> data, boolean hasMore) {

  /** Copies the list. */
  public Page {
    data = List.copyOf(data);
  }
}
