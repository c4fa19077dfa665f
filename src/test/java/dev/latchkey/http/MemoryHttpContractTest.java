package dev.latchkey.http;

/** The service over the memory store. */
class MemoryHttpContractTest extends HttpContractTest {

  @Override
  protected ServiceFixture open() {
    return new MemoryFixture();
  }
}
