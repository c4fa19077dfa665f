package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.KeyAnswers.Kind;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyAnswersTest {

  private final KeyAnswers keys = new KeyAnswers();

  private static Outcome.Answered answer(boolean replayed, long sent, long answered, String body) {
    return new Outcome.Answered(
        201, replayed, Optional.empty(), Buffer.buffer(body), sent, answered);
  }

  @Test
  void theFirstAnswerDividesParkedFromReplayed() {
    String body = "{\"id\":\"pay_1\"}";
    assertThat(keys.note(0, answer(false, 10, 100, body)).kind()).isEqualTo(Kind.FIRST);

    KeyAnswers.Noted parked = keys.note(0, answer(true, 99, 130, body));
    assertThat(parked.kind()).isEqualTo(Kind.PARKED);
    assertThat(parked.wakeNanos()).hasValue(30);

    assertThat(keys.note(0, answer(true, 100, 140, body)).kind()).isEqualTo(Kind.REPLAYED);
    assertThat(keys.differ(0)).isFalse();
    assertThat(keys.ranTwice(0)).isFalse();
  }

  @Test
  void aDuplicateThatIsAnsweredBeforeItsOwnerIsParkedButWasNotWokenByAnAnswer() {
    KeyAnswers.Noted earliest = keys.note(0, answer(true, 10, 100, "{}"));

    assertThat(earliest.kind()).isEqualTo(Kind.PARKED);
    assertThat(earliest.wakeNanos()).isEmpty();
    assertThat(keys.note(0, answer(false, 5, 101, "{}")).kind()).isEqualTo(Kind.FIRST);
    assertThat(keys.ranTwice(0)).isFalse();
  }

  @Test
  void aByteOfDifferenceIsNoticedAndOtherKeysAreLeftAlone() {
    keys.note(0, answer(false, 1, 2, "{\"id\":\"pay_1\"}"));
    keys.note(1, answer(false, 1, 2, "{\"id\":\"pay_2\"}"));
    keys.note(0, answer(true, 1, 2, "{\"id\":\"pay_1\" }"));

    assertThat(keys.differ(0)).isTrue();
    assertThat(keys.differ(1)).isFalse();
    assertThat(keys.differing()).isEqualTo(1);
  }

  @Test
  void theStatusIsPartOfTheAnswer() {
    keys.note(0, answer(false, 1, 2, "{}"));
    keys.note(0, new Outcome.Answered(200, true, Optional.empty(), Buffer.buffer("{}"), 1, 2));

    assertThat(keys.differ(0)).isTrue();
  }

  @Test
  void twoAnswersThatAreNotMarkedAreOneTooMany() {
    keys.note(0, answer(false, 1, 2, "{}"));
    keys.note(0, answer(false, 1, 2, "{}"));

    assertThat(keys.ranTwice(0)).isTrue();
    assertThat(keys.ranTwice(1)).isFalse();
  }

  @Test
  void itRemembersWhichPaymentTheAnswerWasAbout() {
    keys.note(0, answer(false, 1, 2, "{\"id\":\"pay_1\"}"));
    keys.note(1, answer(false, 1, 2, "not json"));

    assertThat(keys.isAbout(0, "pay_1")).isTrue();
    assertThat(keys.isAbout(0, "pay_2")).isFalse();
    assertThat(keys.isAbout(1, "pay_1")).isFalse();
  }
}
