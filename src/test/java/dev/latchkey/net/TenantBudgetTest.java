package dev.latchkey.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.TenantBudget.Result;
import org.junit.jupiter.api.Test;

class TenantBudgetTest {

  @Test
  void totalAndShareAreLimited() {
    TenantBudget budget = new TenantBudget(10, 6);
    assertThat(budget.take("a", 6)).isEqualTo(Result.TAKEN);
    assertThat(budget.take("a", 1)).isEqualTo(Result.TENANT_FULL);
    assertThat(budget.take("b", 5)).isEqualTo(Result.FULL);
    assertThat(budget.take("b", 4)).isEqualTo(Result.TAKEN);
    assertThat(budget.taken()).isEqualTo(10);
    budget.giveBack("a", 6);
    assertThat(budget.take("b", 2)).isEqualTo(Result.TAKEN);
    assertThat(budget.take("b", Long.MAX_VALUE)).isEqualTo(Result.TENANT_FULL);
    assertThat(budget.take("a", 0)).isEqualTo(Result.TAKEN);
    assertThat(budget.taken()).isEqualTo(6);
  }

  @Test
  void shareOfTheTotalOrMoreHasNoEffect() {
    TenantBudget budget = new TenantBudget(3, Integer.MAX_VALUE);
    assertThat(budget.take("a", 3)).isEqualTo(Result.TAKEN);
    assertThat(budget.take("a", Long.MAX_VALUE)).isEqualTo(Result.FULL);
    budget.giveBack("a", 3);
    assertThat(budget.taken()).isZero();
  }
}
