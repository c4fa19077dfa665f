package dev.latchkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Mismatch;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One key names one request, from its first use to its expiry. */
public interface MismatchContract extends StoreContract {

  /** Claims with another request and checks that the result has the first fingerprint. */
  default Mismatch assertMismatch(Attempt first, Attempt other, Phase phase) {
    KeyState before = store().lookup(first);
    ClaimResult result = store().claim(other);
    assertThat(result).isInstanceOf(Mismatch.class);
    Mismatch mismatch = (Mismatch) result;
    assertThat(mismatch.phase()).isEqualTo(phase);
    Fingerprint firstUse = first.claim().fingerprint();
    assertThat(mismatch.firstUse()).isEqualTo(firstUse);
    assertThat(mismatch.firstUse().memberSketch()).isEqualTo(firstUse.memberSketch());
    assertThat(store().lookup(first)).hasSameClassAs(before);
    return mismatch;
  }

  @ParameterizedTest
  @EnumSource
  default void otherRequestIsRefusedWhileTheFirstRuns(Mode mode) {
    Attempt first = Attempt.atNewKey();
    store().claimed(first);

    Mismatch mismatch =
        assertMismatch(first, first.otherRequest().withMode(mode), Phase.IN_PROGRESS);

    assertThat(mismatch.expiry()).isEmpty();
    store().completed(first);
  }

  @ParameterizedTest
  @EnumSource
  default void otherRequestIsRefusedWhenTheLeaseIsOver(Mode mode) {
    Attempt first = shortLease();
    store().claimed(first);
    endShortLease();

    assertMismatch(first, first.otherRequest().withMode(mode), Phase.IN_PROGRESS);

    store().completed(first);
  }

  @ParameterizedTest
  @EnumSource
  default void otherRequestIsRefusedAfterARelease(Mode mode) {
    Attempt first = Attempt.atNewKey();
    store().claimed(first);
    store().released(first);

    Mismatch mismatch = assertMismatch(first, first.otherRequest().withMode(mode), Phase.RELEASED);

    assertThat(mismatch.expiry()).isEmpty();
    assertThat(store().claimed(first.retried()).attempt()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  default void otherRequestIsRefusedAfterTheCompletion(Mode mode) {
    Attempt first = Attempt.atNewKey();
    store().claimed(first);
    long expiresAt = store().completed(first).atEpochMillis();

    Mismatch mismatch = assertMismatch(first, first.otherRequest().withMode(mode), Phase.COMPLETED);

    assertThat(mismatch.expiry().map(expiry -> expiry.atEpochMillis()))
        .isEqualTo(Optional.of(expiresAt));
  }

  @Test
  default void otherRequestIsRefusedUnderTheSameTokenToo() {
    Attempt first = Attempt.atNewKey();
    store().claimed(first);
    Attempt other = first.otherRequest().withToken(first.token());

    assertMismatch(first, other, Phase.IN_PROGRESS);
    store().released(first);
    assertMismatch(first, other, Phase.RELEASED);
  }

  @Test
  default void memberSketchOfTheFirstUseIsKeptThroughEveryLaterClaim() {
    byte[] longest = new byte[Fingerprint.MAX_SKETCH_BYTES];
    for (int i = 0; i < longest.length; i++) {
      longest[i] = (byte) i;
    }
    Attempt first = Attempt.atNewKey().withSketch(longest);
    store().claimed(first);
    store().released(first);
    Attempt second = first.retried().withSketch(new byte[0]);
    store().claimed(second);

    assertMismatch(first, first.otherRequest(), Phase.IN_PROGRESS);
    store().completed(second);
    assertMismatch(first, first.otherRequest(), Phase.COMPLETED);
  }
}
