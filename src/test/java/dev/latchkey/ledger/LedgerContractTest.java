package dev.latchkey.ledger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same cases over every ledger: what {@link Ledger} and {@link LedgerEffect} promise. */
public abstract class LedgerContractTest
    implements BookingContract,
        ListContract,
        RefundListContract,
        AmendmentContract,
        CustomerContract,
        BookingRaceContract {

  private LedgerFixture books;

  /** Opens an empty ledger for one test. */
  protected abstract LedgerFixture open();

  @BeforeEach
  void openBooks() {
    books = open();
  }

  @AfterEach
  void closeBooks() {
    if (books != null) {
      books.close();
    }
  }

  @Override
  public final LedgerFixture books() {
    return books;
  }
}
