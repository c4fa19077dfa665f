package dev.latchkey.ledger.postgres;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import dev.latchkey.store.postgres.effect.PostgresEffectKinds;
import java.util.Optional;

/**
 * The {@link dev.latchkey.ledger.LedgerEffect effects} that change payments, as parts of the
 * statement that completes their keys. Each checks its condition in the server, on the locked row,
 * and writes the events of the change with it. The business row of all effects is the payment.
 */
public final class PostgresEffects implements PostgresEffectKinds {

  @Override
  public Optional<PostgresEffectKind> kindOf(Effect effect) {
    if (effect instanceof InsertPayment) {
      return Optional.of(InsertPaymentSql.KIND);
    }
    if (effect instanceof BookCapture) {
      return Optional.of(ClosePaymentSql.CAPTURE);
    }
    if (effect instanceof BookCancel) {
      return Optional.of(ClosePaymentSql.CANCEL);
    }
    if (effect instanceof BookRefund) {
      return Optional.of(BookRefundSql.KIND);
    }
    return Optional.empty();
  }
}
