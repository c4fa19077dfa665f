package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.PaymentQuery;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryParametersTest {

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "-1", "1.0", "", "ten", "+5", " 5", "1000", "٣", "05"})
  void aLimitIsBetweenOneAndAHundred(String limit) {
    assertThat(errors(parameters().add("limit", limit))).containsExactly("/limit");
  }

  @Test
  void everythingIsOptional() {
    assertThat(QueryParameters.list("acme", parameters()))
        .isEqualTo(LedgerFixtures.all("acme", 20));
  }

  @Test
  void readsAllParameters() {
    MultiMap all =
        parameters()
            .add("limit", "100")
            .add("starting_after", "pay_1")
            .add("customer", "ann")
            .add("idempotency_key", "k 1");

    assertThat(QueryParameters.list("acme", all))
        .isEqualTo(
            new PaymentQuery(
                "acme", 100, Optional.of("pay_1"), Optional.of("ann"), Optional.of("k 1")));
  }

  @Test
  void rejectsUnknownAndRepeatedParameters() {
    assertThat(errors(parameters().add("offset", "1"))).containsExactly("/offset");
    assertThat(errors(parameters().add("customer", "a").add("customer", "a")))
        .containsExactly("/customer");
    assertThat(errors(parameters().add("customer", "a\0"))).containsExactly("/customer");
  }

  private static MultiMap parameters() {
    return MultiMap.caseInsensitiveMultiMap();
  }

  private static List<String> errors(MultiMap parameters) {
    return ErrorPointers.of(() -> QueryParameters.list("acme", parameters));
  }
}
