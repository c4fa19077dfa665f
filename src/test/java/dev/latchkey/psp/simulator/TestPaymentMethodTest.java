package dev.latchkey.psp.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestPaymentMethodTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pm_card_visa",
        "pm_card_declined",
        "pm_card_insufficient_funds",
        "pm_slow_0",
        "pm_slow_60000",
        "pm_psp_unavailable",
        "pm_psp_flaky",
        "pm_psp_lost_reply"
      })
  void isKnown(String method) {
    assertThat(TestPaymentMethod.isKnown(method)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pm_slow_",
        "pm_slow_60001",
        "pm_slow_-1",
        "pm_slow_007",
        "pm_slow_1.5",
        "pm_slow_99999999999999999999",
        "pm_slow_١",
        "PM_CARD_VISA",
        "pm_card_visa ",
        "pm_card_mastercard"
      })
  void isNotKnown(String method) {
    assertThat(TestPaymentMethod.isKnown(method)).isFalse();
  }
}
