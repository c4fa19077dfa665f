package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.store.postgres.effect.EffectWrite;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A completion that shares a statement with others.
 *
 * @param claim the claim that it ends
 * @param response the encoded response
 * @param effect the effect to write, if any
 */
record Completion(Claim claim, Buffer response, Optional<EffectWrite> effect) {}
