package dev.latchkey.http;

class PostgresHttpContractTest extends HttpContractTest {

  @Override
  protected ServiceFixture open() {
    return new PostgresServiceFixture();
  }
}
