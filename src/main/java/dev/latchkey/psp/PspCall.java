package dev.latchkey.psp;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What the PSP is asked to do. Two calls with one idempotency key are the same when they are equal:
 * an amount that was left out differs from any that was given.
 */
sealed interface PspCall {

  /** The largest amount, in minor units. */
  long MAX_AMOUNT = 99_999_999_999L;

  /** An authorisation, captured at once when asked. */
  record Charge(long amount, String currency, String paymentMethod, boolean capture)
      implements PspCall {
    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

    @Override
    public Optional<String> fault() {
      if (!CURRENCY.matcher(currency).matches()) {
        return Optional.of("currency is not three capital letters");
      }
      if (!TestPaymentMethod.isKnown(paymentMethod)) {
        return Optional.of("payment_method is none that the simulator knows");
      }
      return amountFault(OptionalLong.of(amount));
    }
  }

  /** A call on a charge that is there. */
  sealed interface OnCharge extends PspCall {

    /** Returns the charge's id. */
    String charge();
  }

  /** A capture; of everything when the amount is left out. */
  record Capture(String charge, OptionalLong amount) implements OnCharge {
    @Override
    public Optional<String> fault() {
      return amountFault(amount);
    }
  }

  /** Gives an authorisation back. */
  record Cancel(String charge) implements OnCharge {
    @Override
    public Optional<String> fault() {
      return Optional.empty();
    }
  }

  /** A refund; of the rest when the amount is left out. One by the PSP itself tells by an event. */
  record Refund(String charge, OptionalLong amount, boolean byPsp) implements OnCharge {
    @Override
    public Optional<String> fault() {
      return amountFault(amount);
    }
  }

  /** The card holder disputes the charge. */
  record Dispute(String charge) implements OnCharge {
    @Override
    public Optional<String> fault() {
      return Optional.empty();
    }
  }

  /** Returns what makes this call invalid, whatever the state; empty when it is sound. */
  Optional<String> fault();

  private static Optional<String> amountFault(OptionalLong amount) {
    boolean sound =
        amount.isEmpty() || (amount.getAsLong() > 0 && amount.getAsLong() <= MAX_AMOUNT);
    return sound
        ? Optional.empty()
        : Optional.of("amount " + amount.getAsLong() + " is not within 1 to " + MAX_AMOUNT);
  }
}
