package dev.latchkey.http;

/** The service over Redis, records and payments. */
class RedisHttpContractTest extends HttpContractTest {

  @Override
  protected ServiceFixture open() {
    return new RedisServiceFixture();
  }
}
