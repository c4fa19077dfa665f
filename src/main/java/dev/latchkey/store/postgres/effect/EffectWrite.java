package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.Effect;

/**
 * An effect and how it is written.
 *
 * @param effect the data
 * @param kind how it is written
 */
public record EffectWrite(Effect effect, PostgresEffectKind kind) {}
