package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a request waits, and what it is told about that. */
interface WaitContract extends HttpContract {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wait=5                 | wait=5",
        "wait=0                 | wait=0",
        "WAIT = 7               | wait=7",
        "respond-async, wait=8  | wait=8",
        "wait=60                | wait=60",
        "wait=61                | wait=60",
        "wait=99999999999999999999 | wait=60",
      })
  default void theWaitThatCountsIsTold(String preference, String applied) {
    Answer answer = serve().pay().key(Scene.newKey()).header("Prefer", preference).send();

    assertThat(answer.expect(201).header("Preference-Applied")).hasValue(applied);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"wait", "wait=", "wait=x", "wait=-1", "wait=1.5", "waits=3", "=", "wait=+1"})
  default void whatIsNoWaitIsIgnored(String preference) {
    Node node = serve("--wait", "50ms");
    Call.Sent first = first(node);

    Answer hasty = node.pay().key(scene().key()).header("Prefer", preference).send();

    hasty.expectProblem(409, "request-in-progress");
    assertThat(hasty.header("Preference-Applied")).isEmpty();
    node.psp().letGo();
    first.answer().expect(201);
  }

  @Test
  default void aShorterWaitThanUsualIsKept() {
    Node node = serve("--wait", "10m", "--wait-max", "20m");
    Call.Sent first = first(node);

    Answer hasty = node.pay().key(scene().key()).header("Prefer", "wait=1").send();

    hasty.expectProblem(409, "request-in-progress");
    assertThat(hasty.header("Preference-Applied")).hasValue("wait=1");
    node.psp().letGo();
    first.answer().expect(201);
  }

  @Test
  default void aWaitOverTheLimitEndsAtTheLimit() {
    Node node = serve("--wait", "1s", "--wait-max", "1s");
    Call.Sent first = first(node);

    Answer patient = node.pay().key(scene().key()).header("Prefer", "wait=1000").send();

    patient.expectProblem(409, "request-in-progress");
    assertThat(patient.header("Preference-Applied")).hasValue("wait=1");
    node.psp().letGo();
    first.answer().expect(201);
  }

  @Test
  default void aParkedRequestIsToldItsWaitToo() {
    Node node = serve();
    Call.Sent first = first(node);
    Call.Sent parked = node.pay().key(scene().key()).header("Prefer", "wait=9").begin();
    node.awaitParked(1);

    scene().settle(node);

    assertThat(parked.answer().header("Preference-Applied")).hasValue("wait=9");
    assertThat(first.answer().header("Preference-Applied")).isEmpty();
  }

  @Test
  default void whenToComeBackIsWhatIsLeftOfTheLease() {
    Node node = serve("--lease", "100s");
    Call.Sent first = first(node);

    Answer hasty = node.pay().key(scene().key()).header("Prefer", "wait=0").send();

    assertThat(Integer.parseInt(hasty.header("Retry-After").orElseThrow())).isBetween(50, 100);
    node.psp().letGo();
    first.answer().expect(201);
  }

  /** The first request of the scene's key; the PSP has done it, its handler does not know yet. */
  private Call.Sent first(Node node) {
    node.psp().hold();
    Call.Sent first = node.pay().key(scene().key()).begin();
    node.psp().awaitHeld(1);
    return first;
  }
}
