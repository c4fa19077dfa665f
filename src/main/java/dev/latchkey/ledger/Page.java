package dev.latchkey.ledger;

import java.util.List;

/**
 * One page of a list of payments.
 *
 * @param data newest first
 * @param hasMore whether older payments follow
 */
public record Page(List<Payment> data, boolean hasMore) {

  /** Copies the list. */
  public Page {
    data = List.copyOf(data);
  }
}
