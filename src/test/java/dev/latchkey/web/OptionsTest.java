package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.LostOwner;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.OptionChecks;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of handlers and nodes as values: JSON, copies and limits. */
class OptionsTest {

  @Test
  void handlerOptionsSurviveJsonAndCopying() {
    IdempotencyOptions options =
        new IdempotencyOptions()
            .setRequired(false)
            .setMethods(Set.of(HttpMethod.PUT, HttpMethod.POST))
            .setRetentionMillis(1)
            .setLeaseMillis(2)
            .setRunLimitMillis(3)
            .setWaitMillis(4)
            .setWaitMaxMillis(5)
            .setEffectsInStore(true)
            .setOnLostOwner(LostOwner.REPORT)
            .setMaxResponseBytes(6)
            .setMaxJsonDepth(7)
            .setStatusUrlPrefix("/keys/")
            .setProblemBaseUri("https://example.com/errors/");
    JsonObject json = options.toJson();
    assertThat(json.fieldNames()).hasSize(13);
    assertThat(json.getJsonArray("methods")).isEqualTo(new JsonArray().add("POST").add("PUT"));
    assertThat(new IdempotencyOptions(new JsonObject(json.encode())).toJson()).isEqualTo(json);
    assertThat(new IdempotencyOptions(options).toJson()).isEqualTo(json);
  }

  @Test
  void nodeOptionsSurviveJsonAndCopying() {
    NodeOptions options =
        new NodeOptions()
            .setMaxParked(1)
            .setMaxParkedPerTenant(2)
            .setMaxParkedPerKey(3)
            .setMaxParkedBodyBytes(4)
            .setMaxRunning(5)
            .setMaxRunningPerTenant(9)
            .setReplayCacheBytes(6)
            .setStoreTimeoutMillis(7)
            .setPurgeIntervalMillis(8);
    JsonObject json = options.toJson();
    assertThat(json.fieldNames()).hasSize(9);
    assertThat(new NodeOptions(new JsonObject(json.encode())).toJson()).isEqualTo(json);
    assertThat(new NodeOptions(options).toJson()).isEqualTo(json);
  }

  @Test
  void functionsAreCopiedThoughJsonLacksThem() {
    KeyScope scope = ctx -> "acme";
    KeySource source = KeySource.header("Request-Id");
    ResponsePolicy policy = ResponsePolicy.successesOnly();
    IdempotencyOptions copy =
        new IdempotencyOptions(
            new IdempotencyOptions()
                .setScope(scope)
                .setKeySource(source)
                .setResponsePolicy(policy));
    assertThat(copy.getScope()).contains(scope);
    assertThat(copy.getKeySource()).isSameAs(source);
    assertThat(copy.getResponsePolicy()).isSameAs(policy);
  }

  @Test
  void absentMembersKeepTheirDefaults() {
    assertThat(new IdempotencyOptions(new JsonObject()).toJson())
        .isEqualTo(new IdempotencyOptions().toJson());
    assertThat(new NodeOptions(new JsonObject()).getMaxParked())
        .isEqualTo(NodeOptions.DEFAULT_MAX_PARKED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"leaseMillis\":\"10s\"}",
        "{\"leaseMillis\":0}",
        "{\"maxResponseBytes\":2147483648}",
        "{\"required\":1}",
        "{\"onLostOwner\":\"PANIC\"}"
      })
  void invalidJsonIsRejected(String json) {
    assertThatThrownBy(() -> new IdempotencyOptions(new JsonObject(json)))
        .isInstanceOfAny(IllegalArgumentException.class, ClassCastException.class);
  }

  static Stream<LongFunction<Long>> durations() {
    return Stream.of(
        it -> new IdempotencyOptions().setRetentionMillis(it).getRetentionMillis(),
        it -> new IdempotencyOptions().setLeaseMillis(it).getLeaseMillis(),
        it -> new IdempotencyOptions().setRunLimitMillis(it).getRunLimitMillis(),
        it -> new IdempotencyOptions().setWaitMillis(it).getWaitMillis(),
        it -> new IdempotencyOptions().setWaitMaxMillis(it).getWaitMaxMillis(),
        it -> new NodeOptions().setStoreTimeoutMillis(it).getStoreTimeoutMillis(),
        it -> new NodeOptions().setPurgeIntervalMillis(it).getPurgeIntervalMillis());
  }

  @ParameterizedTest
  @MethodSource("durations")
  void durationsNeverOverflowNanoseconds(LongFunction<Long> set) {
    long longest = set.apply(Long.MAX_VALUE);
    assertThat(longest).isEqualTo(OptionChecks.MAX_DURATION_MILLIS);
    assertThat(Math.multiplyExact(longest, 2 * 1_000_000)).isPositive();
    assertThatThrownBy(() -> set.apply(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
