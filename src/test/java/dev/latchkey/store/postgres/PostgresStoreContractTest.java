package dev.latchkey.store.postgres;

import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresStoreContractTest extends StoreContractTest {

  private static PostgresContractFixture fixture;

  @BeforeAll
  static void start() {
    fixture = PostgresContractFixture.start(PostgresNodes::open);
  }

  @AfterAll
  static void stop() {
    fixture.stop();
  }

  @Override
  protected StoreFixture open() {
    return fixture.emptied();
  }
}
