package dev.latchkey.http;

/** The service with its claims in Redis and its payments in Postgres. */
class HybridHttpContractTest extends HttpContractTest {

  @Override
  protected ServiceFixture open() {
    return new HybridServiceFixture();
  }
}
