package dev.latchkey.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.StoreCalls;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplayGuessTest {

  private static final Expiry LATER = new Expiry(2, 1);
  private static final ClaimResult REPLAY = new ClaimResult.Completed(StoreCalls.CREATED, LATER);
  private static final ClaimResult FIRST_USE = new ClaimResult.Claimed(1, Map.of(), LATER, false);

  private final ReplayGuess guess = new ReplayGuess();

  private void learn(int times, ClaimResult... results) {
    for (int i = 0; i < times; i++) {
      for (ClaimResult result : results) {
        guess.learn(result);
      }
    }
  }

  @Test
  void looksPayAfterARunOfReplays() {
    learn(ReplayGuess.ENOUGH - 1, REPLAY);
    assertThat(guess.pays()).isFalse();

    guess.learn(REPLAY);

    assertThat(guess.pays()).isTrue();
  }

  @Test
  void replaysNowAndThenAmongNewKeysAreNeverEnough() {
    learn(100, FIRST_USE, REPLAY, REPLAY);

    assertThat(guess.pays()).isFalse();
  }

  @Test
  void threeReplaysToEachNewKeyAre() {
    learn(100, FIRST_USE, REPLAY, REPLAY, REPLAY);

    assertThat(guess.pays()).isTrue();
  }

  @Test
  void fewNewKeysEndIt() {
    learn(1_000, REPLAY);
    learn(5, FIRST_USE);

    assertThat(guess.pays()).isFalse();
  }

  @Test
  void failureEndsItAtOnce() {
    learn(1_000, REPLAY);

    guess.forget();

    assertThat(guess.pays()).isFalse();
  }
}
