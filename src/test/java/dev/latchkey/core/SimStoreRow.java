package dev.latchkey.core;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** The record of a key in the simulated store. Times are on the store's clock. */
final class SimStoreRow implements Cloneable {

  SimKeyLife life;
  Fingerprint fingerprint;
  Phase phase = Phase.IN_PROGRESS;
  Token token;
  int attempt = 1;
  boolean takenOver;
  long leaseEndsMillis;
  long expiresMillis;
  Map<String, Buffer> steps = new LinkedHashMap<>();
  StoredResponse response;

  boolean isHeldBy(Token asked) {
    return phase == Phase.IN_PROGRESS && token.equals(asked);
  }

  SimStoreRow copy() {
    try {
      SimStoreRow copy = (SimStoreRow) clone();
      copy.steps = new LinkedHashMap<>(steps);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
