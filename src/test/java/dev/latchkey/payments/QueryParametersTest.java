package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.PaymentStatus;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
    assertThat(QueryParameters.payments("acme", parameters()))
        .isEqualTo(LedgerFixtures.all("acme", 20));
  }

  @Test
  void readsAllParameters() {
    MultiMap all =
        parameters()
            .add("limit", "100")
            .add("starting_after", "pay_1")
            .add("customer", "ann")
            .add("idempotency_key", "k 1")
            .add("status", "requires_capture")
            .add("created_after", "1970-01-01T02:00:01.0009+02:00")
            .add("created_before", "1970-01-01t00:00:01.0011z");

    assertThat(QueryParameters.payments("acme", all))
        .isEqualTo(
            new PaymentQuery(
                "acme",
                100,
                Optional.of("pay_1"),
                new PaymentFilter(
                    Optional.of("ann"),
                    Optional.of("k 1"),
                    Optional.of(PaymentStatus.REQUIRES_CAPTURE),
                    OptionalLong.of(1_000),
                    OptionalLong.of(1_002))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-11-23",
        "2026-11-23T10:00Z",
        "2026-11-23T10:00:00",
        "2026-11-23 10:00:00Z",
        "2026-11-23T10:00:00 01:00",
        "2026-02-30T10:00:00Z",
        "2026-11-23T25:00:00Z",
        "2026-11-23T10:00:00.Z",
        "1763892000"
      })
  void aTimeIsRfc3339(String time) {
    assertThat(errors(parameters().add("created_after", time))).containsExactly("/created_after");
    assertThat(errors(parameters().add("created_before", time))).containsExactly("/created_before");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SUCCEEDED", "done"})
  void aStatusIsOneOfAPayment(String status) {
    assertThat(errors(parameters().add("status", status))).containsExactly("/status");
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
    return ErrorPointers.of(() -> QueryParameters.payments("acme", parameters));
  }
}
