package dev.latchkey.ledger.redis;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.Refund;
import dev.latchkey.store.redis.RedisEffectKind;
import dev.latchkey.store.redis.RedisEffectKinds;
import dev.latchkey.store.redis.RedisKeys;
import dev.latchkey.store.redis.connection.RedisScript;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The effects that write to a {@link RedisLedger}. A charge, and a refund of the PSP, are reserved
 * for their tenant before they are booked. So each belongs to one payment over all tenants,
 * although two tenants may be on two servers. Ids of payments and refunds are unique within their
 * tenant.
 */
public final class RedisLedgerEffects implements RedisEffectKinds {

  private record Kind<E extends LedgerEffect>(
      Class<E> type,
      String prelude,
      String lua,
      Function<E, List<String>> touched,
      Function<E, List<String>> reserved,
      Function<E, List<Object>> arguments)
      implements RedisEffectKind {

    @Override
    public List<String> keys(Effect effect) {
      return touched.apply(type.cast(effect));
    }

    @Override
    public List<String> reservations(Effect effect) {
      return reserved.apply(type.cast(effect));
    }

    @Override
    public List<Object> args(Effect effect) {
      return arguments.apply(type.cast(effect));
    }

    @Override
    public Optional<RedisScript> creator() {
      return Optional.of(CREATOR);
    }

    @Override
    public boolean refusesBeforeItWrites() {
      return true;
    }
  }

  /** The empty field is none of the ledger's. */
  private static final RedisScript CREATOR =
      RedisScript.of("return redis.call('HSETNX', KEYS[1], '', '')");

  private static final String SUMS = resource("balance.lua");
  private static final String BOOKINGS = SUMS + resource("payment.lua") + resource("bookings.lua");

  private static final RedisEffectKind INSERT =
      new Kind<>(
          InsertPayment.class,
          SUMS,
          resource("insert.lua"),
          insert -> List.of(LedgerKeys.ledger(insert.payment().tenant())),
          insert -> List.of(LedgerKeys.chargeHolder(insert.payment().origin().pspCharge())),
          insert -> insertArgs(insert.payment()));

  private static final RedisEffectKind CAPTURE =
      new Kind<>(
          BookCapture.class,
          BOOKINGS,
          resource("capture.lua"),
          capture -> List.of(LedgerKeys.ledger(capture.tenant())),
          capture -> List.of(),
          capture ->
              List.of(
                  capture.payment(),
                  text(capture.version()),
                  text(capture.atEpochMillis()),
                  capture.derivedKey(),
                  text(capture.amount())));

  private static final RedisEffectKind CANCEL =
      new Kind<>(
          BookCancel.class,
          BOOKINGS,
          resource("cancel.lua"),
          cancel -> List.of(LedgerKeys.ledger(cancel.tenant())),
          cancel -> List.of(),
          cancel ->
              List.of(
                  cancel.payment(),
                  text(cancel.version()),
                  text(cancel.atEpochMillis()),
                  cancel.derivedKey()));

  private static final RedisEffectKind REFUND =
      new Kind<>(
          BookRefund.class,
          BOOKINGS,
          resource("refund.lua"),
          booking -> List.of(LedgerKeys.ledger(booking.refund().tenant())),
          booking -> List.of(LedgerKeys.pspRefundHolder(booking.refund().pspRefund())),
          RedisLedgerEffects::refundArgs);

  private static final List<RedisEffectKind> ALL = List.of(INSERT, CAPTURE, CANCEL, REFUND);

  private static String resource(String name) {
    return RedisScript.resource(RedisLedgerEffects.class, name);
  }

  private static String text(long number) {
    return Long.toString(number);
  }

  private static List<Object> insertArgs(Payment payment) {
    return List.of(
        payment.id(),
        payment.origin().pspCharge(),
        RedisKeys.escaped(payment.origin().idempotencyKey()),
        PaymentRow.customer(payment.details().customer()),
        payment.details().currency(),
        text(payment.state().capturedAmount()),
        text(payment.state().refundedAmount()),
        PaymentRow.write(payment));
  }

  private static List<Object> refundArgs(BookRefund booking) {
    Refund refund = booking.refund();
    return List.of(
        refund.payment(),
        refund.id(),
        refund.pspRefund(),
        text(refund.createdAtEpochMillis()),
        text(refund.amount()),
        text(booking.capturedAmount()),
        RefundRow.write(refund));
  }

  @Override
  public List<RedisEffectKind> all() {
    return ALL;
  }

  @Override
  public Optional<RedisEffectKind> kindOf(Effect effect) {
    if (effect instanceof InsertPayment) {
      return Optional.of(INSERT);
    }
    if (effect instanceof BookCapture) {
      return Optional.of(CAPTURE);
    }
    if (effect instanceof BookCancel) {
      return Optional.of(CANCEL);
    }
    return effect instanceof BookRefund ? Optional.of(REFUND) : Optional.empty();
  }
}
