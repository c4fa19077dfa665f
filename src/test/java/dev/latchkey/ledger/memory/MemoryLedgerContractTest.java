package dev.latchkey.ledger.memory;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerContractTest;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.net.MemoryBudget;
import java.util.List;
import java.util.Optional;

class MemoryLedgerContractTest extends LedgerContractTest {

  @Override
  protected LedgerFixture open() {
    MemoryLedger ledger = new MemoryLedger(new MemoryBudget(1 << 30));
    return new LedgerFixture() {
      @Override
      public Ledger ledger() {
        return ledger;
      }

      @Override
      public Optional<EffectRefused> apply(List<Effect> effects) {
        return ledger.apply(effects);
      }

      @Override
      public int rounds() {
        return 200;
      }
    };
  }
}
