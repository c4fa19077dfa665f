package dev.latchkey.psp.simulator;

import dev.latchkey.psp.PspCall;
import java.util.Optional;

/** A payment method of the simulator, with its outcome. Immutable. */
public sealed interface TestPaymentMethod {

  /** The longest delay of {@code pm_slow_N}, in milliseconds. */
  int MAX_SLOW_MILLIS = 60_000;

  /** {@code pm_card_visa}: approved at once. */
  record Approved() implements TestPaymentMethod {}

  /**
   * {@code pm_card_declined} and {@code pm_card_insufficient_funds}: declined; final.
   *
   * @param declineCode the PSP's reason
   */
  record Declined(String declineCode) implements TestPaymentMethod {}

  /**
   * {@code pm_slow_N}: approved after a delay.
   *
   * @param delayMillis 0 to {@link #MAX_SLOW_MILLIS}
   */
  record Slow(long delayMillis) implements TestPaymentMethod {}

  /** {@code pm_psp_unavailable}: 503 every time; nothing changes. */
  record Unavailable() implements TestPaymentMethod {}

  /** {@code pm_psp_flaky}: 503 for the first call of a key, approved for the next. */
  record Flaky() implements TestPaymentMethod {}

  /** {@code pm_psp_lost_reply}: charged, but the response is lost, once per key. */
  record LostReply() implements TestPaymentMethod {}

  /**
   * Parses a payment method.
   *
   * @param text such as {@code pm_slow_250}
   * @return empty for any other text
   */
  static Optional<TestPaymentMethod> parse(String text) {
    return switch (text) {
      case "pm_card_visa" -> Optional.of(new Approved());
      case "pm_card_declined" -> Optional.of(new Declined("generic_decline"));
      case "pm_card_insufficient_funds" -> Optional.of(new Declined("insufficient_funds"));
      case "pm_psp_unavailable" -> Optional.of(new Unavailable());
      case "pm_psp_flaky" -> Optional.of(new Flaky());
      case "pm_psp_lost_reply" -> Optional.of(new LostReply());
      default -> parseSlow(text);
    };
  }

  /** Returns the payment method of a charge; empty for other calls and unknown methods. */
  static Optional<TestPaymentMethod> of(PspCall call) {
    return call instanceof PspCall.Charge charge ? parse(charge.paymentMethod()) : Optional.empty();
  }

  /**
   * Returns whether the simulator supports a payment method.
   *
   * @param text such as {@code pm_card_visa}
   * @return false if a charge with it would be rejected as invalid
   */
  static boolean isKnown(String text) {
    return parse(text).isPresent();
  }

  /** No sign and no leading zero, so that each delay has one form. */
  private static Optional<TestPaymentMethod> parseSlow(String text) {
    if (!text.matches("pm_slow_(0|[1-9][0-9]{0,4})")) {
      return Optional.empty();
    }
    int delayMillis = Integer.parseInt(text.substring("pm_slow_".length()));
    return delayMillis > MAX_SLOW_MILLIS ? Optional.empty() : Optional.of(new Slow(delayMillis));
  }
}
