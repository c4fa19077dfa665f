package dev.latchkey.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class PostgresStoreOptionsTest {

  private static final JsonObject OTHER =
      new JsonObject()
          .put("callTimeoutMillis", 101L)
          .put("lockTimeoutMillis", 1L)
          .put("maxBatch", 2)
          .put("maxBatchBytes", 3)
          .put("maxQueue", 4)
          .put("maxTransactions", 5)
          .put("maxConnections", 6)
          .put("applicationName", "other");

  @Test
  void jsonHoldsEveryOption() {
    assertThat(new PostgresStoreOptions(OTHER).toJson()).isEqualTo(OTHER);
    assertThat(new PostgresStoreOptions(new JsonObject()).toJson())
        .isEqualTo(new PostgresStoreOptions().toJson());
  }

  @Test
  void copyIsIndependent() {
    PostgresStoreOptions original = new PostgresStoreOptions(OTHER);
    PostgresStoreOptions copy = original.copy();
    original.setMaxQueue(7);

    assertThat(copy.toJson()).isEqualTo(OTHER);
  }

  @Test
  void tooSmallValueIsRejected() {
    assertThatThrownBy(() -> new PostgresStoreOptions().setCallTimeoutMillis(99))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("callTimeoutMillis is 99, the minimum is 100");
    assertThatThrownBy(() -> new PostgresStoreOptions(new JsonObject().put("maxBatch", 0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
