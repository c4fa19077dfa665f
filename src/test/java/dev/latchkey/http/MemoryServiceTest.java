package dev.latchkey.http;

/** Cases that do not depend on the store. */
abstract class MemoryServiceTest extends SceneTest {

  @Override
  protected final ServiceFixture open() {
    return new MemoryFixture();
  }
}
