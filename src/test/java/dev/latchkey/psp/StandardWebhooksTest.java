package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expected signatures were computed apart from this code, with another HMAC. */
class StandardWebhooksTest {
  private static final Buffer BODY = Buffer.buffer("{\"test\": 2432232314}");
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long SECONDS = 1_614_265_330;
  private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private final StandardWebhooks webhooks =
      StandardWebhooks.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  private static MultiMap headers(String signature) {
    return MultiMap.caseInsensitiveMultiMap()
        .add(StandardWebhooks.ID, ID)
        .add(StandardWebhooks.TIMESTAMP, Long.toString(SECONDS))
        .add(StandardWebhooks.SIGNATURE, signature);
  }

  private boolean verifies(MultiMap headers, long nowSeconds) {
    return webhooks.verify(headers, BODY, Instant.ofEpochSecond(nowSeconds));
  }

  @Test
  void signsWithBase64AndWithPlainSecrets() {
    assertThat(webhooks.sign(ID, SECONDS, BODY)).isEqualTo(SIGNATURE);
    assertThat(StandardWebhooks.of("sécret!").sign("evt_1", 1_700_000_000, Buffer.buffer("{}")))
        .isEqualTo("v1,AMEw/wBTIam6jr0nrUQkSByccVF9/RNSe5M02z/4NcI=");
  }

  @Test
  void acceptsItsOwnSignatureAmongOthers() {
    assertThat(verifies(headers(SIGNATURE), SECONDS)).isTrue();
    assertThat(verifies(headers("v1,AAAA v2,xyz " + SIGNATURE), SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "v1,", "v1,AAAA", "v1,!!!", "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="})
  void refusesOtherSignatures(String signature) {
    assertThat(verifies(headers(signature), SECONDS)).isFalse();
  }

  @Test
  void refusesAnotherBody() {
    assertThat(
            webhooks.verify(
                headers(SIGNATURE), Buffer.buffer("{}"), Instant.ofEpochSecond(SECONDS)))
        .isFalse();
  }

  @Test
  void refusesAStaleOrFutureTimestamp() {
    assertThat(verifies(headers(SIGNATURE), SECONDS + 300)).isTrue();
    assertThat(verifies(headers(SIGNATURE), SECONDS - 300)).isTrue();
    assertThat(verifies(headers(SIGNATURE), SECONDS + 301)).isFalse();
    assertThat(verifies(headers(SIGNATURE), SECONDS - 301)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {StandardWebhooks.ID, StandardWebhooks.TIMESTAMP, StandardWebhooks.SIGNATURE})
  void needsEachHeaderOnce(String name) {
    assertThat(verifies(headers(SIGNATURE).remove(name), SECONDS)).isFalse();
    MultiMap twice = headers(SIGNATURE);
    assertThat(verifies(twice.add(name, twice.get(name)), SECONDS)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1e9", "99999999999999999999"})
  void refusesATimestampThatIsNone(String timestamp) {
    MultiMap headers = headers(SIGNATURE).set(StandardWebhooks.TIMESTAMP, timestamp);
    assertThat(verifies(headers, SECONDS)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "whsec_"})
  void needsASecret(String secret) {
    assertThatThrownBy(() -> StandardWebhooks.of(secret)).hasMessageContaining("empty");
  }
}
