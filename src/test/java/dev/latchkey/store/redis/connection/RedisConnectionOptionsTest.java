package dev.latchkey.store.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class RedisConnectionOptionsTest {

  @Test
  void jsonKeepsEveryOption() {
    RedisConnectionOptions options =
        new RedisConnectionOptions()
            .setConnectTimeoutMillis(1)
            .setCallTimeoutMillis(2)
            .setMaxWaitingCalls(3)
            .setMaxWaitingBytes(4);

    JsonObject json = options.toJson();

    assertThat(json.stream().map(it -> ((Number) it.getValue()).intValue()))
        .containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(new RedisConnectionOptions(json).toJson()).isEqualTo(json);
    assertThat(options.copy().toJson()).isEqualTo(json);
  }

  @Test
  void absentMembersKeepTheirDefaults() {
    assertThat(new RedisConnectionOptions(new JsonObject()).toJson())
        .isEqualTo(new RedisConnectionOptions().toJson());
  }

  @Test
  void rejectsValuesThatAreNotPositive() {
    RedisConnectionOptions options = new RedisConnectionOptions();
    assertThatIllegalArgumentException().isThrownBy(() -> options.setConnectTimeoutMillis(0));
    assertThatIllegalArgumentException().isThrownBy(() -> options.setCallTimeoutMillis(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> options.setMaxWaitingCalls(0));
    assertThatIllegalArgumentException().isThrownBy(() -> options.setMaxWaitingBytes(0));
  }
}
