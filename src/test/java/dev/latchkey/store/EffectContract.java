package dev.latchkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult.InFlight;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.KeyState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Effects are written with the record or not at all. */
public interface EffectContract extends StoreContract {

  @Test
  default void effectsAreWrittenWithTheCompletion() {
    EffectProbe effects = effects();
    Attempt owner = Attempt.atNewKey();
    String mark = owner.key().key();
    store().claimed(owner);
    assertThat(effects.isApplied(mark)).isFalse();

    store().completed(owner, effects.applies(mark), effects.counts(mark));

    assertThat(effects.isApplied(mark)).isTrue();
    assertThat(effects.counted(mark)).isEqualTo(1);
  }

  @Test
  default void refusedEffectChangesNothing() {
    EffectProbe effects = effects();
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);

    CompleteResult result = store().complete(owner, StoreCalls.OTHER, effects.refused());

    assertThat(((EffectRefused) result).which()).isEqualTo(effects.refused().name());
    assertThat(store().lookup(owner))
        .isInstanceOfSatisfying(
            KeyState.InProgress.class, state -> assertThat(state.token()).isEqualTo(owner.token()));
    assertThat(store().claim(owner.retried())).isInstanceOf(InFlight.class);
    store().completed(owner);
    assertThat(((KeyState.Completed) store().lookup(owner)).response())
        .isEqualTo(StoreCalls.CREATED);
  }

  @Test
  default void oneRefusedEffectDiscardsAllEffects() {
    EffectProbe effects = effects();
    Attempt owner = Attempt.atNewKey();
    String mark = owner.key().key();
    store().claimed(owner);

    assertThat(
            List.of(
                store()
                    .complete(
                        owner,
                        StoreCalls.OTHER,
                        effects.applies(mark),
                        effects.counts(mark),
                        effects.refused()),
                store().complete(owner, StoreCalls.OTHER, effects.refused(), effects.applies(mark)),
                store()
                    .complete(
                        owner,
                        StoreCalls.OTHER,
                        effects.counts(mark),
                        effects.refused(),
                        effects.applies(mark))))
        .allSatisfy(result -> assertThat(result).isInstanceOf(EffectRefused.class));

    assertThat(effects.isApplied(mark)).isFalse();
    assertThat(effects.counted(mark)).isZero();
    store().completed(owner, effects.applies(mark), effects.counts(mark));
    assertThat(effects.isApplied(mark)).isTrue();
    assertThat(effects.counted(mark)).isEqualTo(1);
  }

  @Test
  default void effectsOfASupersededOwnerAreDiscarded() {
    EffectProbe effects = effects();
    Attempt dead = shortLease();
    String mark = dead.key().key();
    store().claimed(dead);
    endShortLease();
    Attempt owner = dead.retried().withLease(Attempt.LONG_LEASE_MILLIS);
    store().claimed(owner);

    assertThat(store().complete(dead, StoreCalls.OTHER, effects.counts(mark)))
        .isInstanceOf(LostLease.class);
    assertThat(effects.counted(mark)).isZero();
    store().completed(owner, effects.counts(mark));
    assertThat(store().complete(dead, StoreCalls.OTHER, effects.counts(mark)))
        .isInstanceOf(LostLease.class);

    assertThat(effects.counted(mark)).isEqualTo(1);
  }

  @Test
  default void effectsOfAReleasedClaimOrAnAbsentKeyAreDiscarded() {
    EffectProbe effects = effects();
    Attempt owner = Attempt.atNewKey();
    String mark = owner.key().key();
    assertThat(store().complete(owner, StoreCalls.CREATED, effects.counts(mark)))
        .isInstanceOf(LostLease.class);
    store().claimed(owner);
    store().released(owner);

    assertThat(store().complete(owner, StoreCalls.CREATED, effects.counts(mark)))
        .isInstanceOf(LostLease.class);
    assertThat(effects.counted(mark)).isZero();
  }

  @Test
  default void repeatedCompletionWritesItsEffectsOnce() {
    EffectProbe effects = effects();
    Attempt owner = Attempt.atNewKey();
    String mark = owner.key().key();
    store().claimed(owner);

    store().completed(owner, effects.applies(mark), effects.counts(mark));
    store().completed(owner, effects.applies(mark), effects.counts(mark));

    assertThat(effects.counted(mark)).isEqualTo(1);
  }

  @Test
  default void lostLeasePrecedesARefusedEffect() {
    EffectProbe effects = effects();

    assertThat(store().complete(Attempt.atNewKey(), StoreCalls.CREATED, effects.refused()))
        .isInstanceOf(LostLease.class);
  }
}
