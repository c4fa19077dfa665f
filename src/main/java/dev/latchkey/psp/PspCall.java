package dev.latchkey.psp;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call to the PSP. Two calls with one idempotency key are the same call if they are equal; an
 * omitted amount differs from every given one.
 */
public sealed interface PspCall {

  /** The largest amount, in minor units. */
  long MAX_AMOUNT = 99_999_999_999L;

  /**
   * Authorises an amount.
   *
   * @param amount in minor units
   * @param currency ISO 4217, upper case
   * @param paymentMethod such as {@code pm_card_visa}
   * @param capture whether to capture at once
   */
  record Charge(long amount, String currency, String paymentMethod, boolean capture)
      implements PspCall {

    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

    @Override
    public Optional<String> fault() {
      return CURRENCY.matcher(currency).matches()
          ? amountFault(amount)
          : Optional.of("currency is not three capital letters");
    }
  }

  /** A call on an existing charge. */
  sealed interface OnCharge extends PspCall {

    /** Returns the charge's id. */
    String charge();

    /** Returns the operation as in the path of its URL. */
    String operation();

    /** Returns the amount in minor units; null if it is omitted. */
    default @Nullable Long amount() {
      return null;
    }

    @Override
    default Optional<String> fault() {
      return amountFault(amount());
    }
  }

  /** Captures an authorised charge; a null amount captures all. */
  record Capture(String charge, @Nullable Long amount) implements OnCharge {
    @Override
    public String operation() {
      return "capture";
    }
  }

  /** Cancels an authorised charge. */
  record Cancel(String charge) implements OnCharge {
    @Override
    public String operation() {
      return "cancel";
    }
  }

  /**
   * Refunds captured money; a null amount refunds the remainder. If the PSP itself started the
   * refund ({@code byPsp}), it sends an event.
   */
  record Refund(String charge, @Nullable Long amount, boolean byPsp) implements OnCharge {
    @Override
    public String operation() {
      return "refund";
    }
  }

  /** Records a dispute by the card holder. */
  record Dispute(String charge) implements OnCharge {
    @Override
    public String operation() {
      return "dispute";
    }
  }

  /** Returns the reason why this call is invalid in every state; empty if it is valid. */
  Optional<String> fault();

  private static Optional<String> amountFault(@Nullable Long amount) {
    return amount == null || (amount > 0 && amount <= MAX_AMOUNT)
        ? Optional.empty()
        : Optional.of("amount " + amount + " is not within 1 to " + MAX_AMOUNT);
  }
}
