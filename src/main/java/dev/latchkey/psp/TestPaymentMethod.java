package dev.latchkey.psp;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A payment method that the simulator knows, with the outcome it asks for. Immutable. */
public sealed interface TestPaymentMethod {

  /** The longest delay that {@code pm_slow_N} takes, in milliseconds. */
  int MAX_SLOW_MILLIS = 60_000;

  /** {@code pm_card_visa}: approved at once. */
  record Approved() implements TestPaymentMethod {}

  /**
   * {@code pm_card_declined} and {@code pm_card_insufficient_funds}: declined, finally.
   *
   * @param declineCode what the PSP says
   */
  record Declined(String declineCode) implements TestPaymentMethod {}

  /**
   * {@code pm_slow_N}: approved after a delay.
   *
   * @param delayMillis 0 to {@link #MAX_SLOW_MILLIS}
   */
  record Slow(long delayMillis) implements TestPaymentMethod {}

  /** {@code pm_psp_unavailable}: 503 every time; nothing is charged, nothing is kept. */
  record Unavailable() implements TestPaymentMethod {}

  /** {@code pm_psp_flaky}: 503 on the first attempt for a key, approved on the next. */
  record Flaky() implements TestPaymentMethod {}

  /** {@code pm_psp_lost_reply}: charged, but the answer is lost, once per key. */
  record LostReply() implements TestPaymentMethod {}

  /**
   * Reads a payment method.
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
      default -> SlowSyntax.parse(text);
    };
  }

  /**
   * Says whether the simulator honours a payment method.
   *
   * @param text such as {@code pm_card_visa}
   * @return false when a charge with it would be refused as invalid
   */
  static boolean isKnown(String text) {
    return parse(text).isPresent();
  }

  /** The syntax of {@code pm_slow_N}: no sign, no leading zero, so each delay has one spelling. */
  final class SlowSyntax {
    private static final Pattern SLOW = Pattern.compile("pm_slow_(0|[1-9][0-9]{0,4})");

    private SlowSyntax() {}

    private static Optional<TestPaymentMethod> parse(String text) {
      Matcher matcher = SLOW.matcher(text);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      int delayMillis = Integer.parseInt(matcher.group(1));
      return delayMillis > MAX_SLOW_MILLIS ? Optional.empty() : Optional.of(new Slow(delayMillis));
    }
  }
}
