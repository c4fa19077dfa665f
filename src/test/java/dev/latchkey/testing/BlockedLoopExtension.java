package dev.latchkey.testing;

import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails the test during which, or before which, our code blocked an event loop of {@link
 * TestVertx}. Registered for every test through META-INF/services.
 */
public final class BlockedLoopExtension implements AfterEachCallback, AfterAllCallback {

  @Override
  public void afterEach(ExtensionContext context) {
    failIfBlocked();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    failIfBlocked();
  }

  private static void failIfBlocked() {
    List<String> blocks = BlockedLoopRecorder.shared().drain();
    if (!blocks.isEmpty()) {
      fail("our code blocked an event loop, now or in a test before:\n" + blocks.get(0));
    }
  }
}
