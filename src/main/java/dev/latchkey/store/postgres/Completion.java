package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Effect;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A completion that travels with others.
 *
 * @param claim the claim that it ends
 * @param response the encoded answer
 * @param effect what is written with it, if anything
 */
record Completion(Claim claim, Buffer response, Optional<Write> effect) {

  /**
   * An effect and how it is written.
   *
   * @param effect the data
   * @param kind how
   */
  record Write(Effect effect, EffectKind kind) {}
}
