package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.Refused;
import dev.latchkey.psp.PspResult.Rejected;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.psp.PspTransport.Attempt.Answered;
import dev.latchkey.psp.PspTransport.Attempt.Lost;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpPspCodecTest {

  private static final PspCall CHARGE = new PspCall.Charge(100, "EUR", "pm_card_visa", true);
  private static final PspCall CANCEL = new PspCall.Cancel("ch_1");
  private static final Lost NO_CHARGE = new Lost("an answer that is no charge");

  @Test
  void onlyThePspItselfDeclines() {
    assertThat(HttpPspCodec.attempt(CHARGE, 402, Buffer.buffer("{\"decline_code\":\"lost_card\"}")))
        .isEqualTo(new Answered(new Declined("lost_card")));
    assertThat(HttpPspCodec.attempt(CHARGE, 402, Buffer.buffer()))
        .as("a proxy on the way is no decline")
        .isEqualTo(new Answered(new Rejected(402, "status 402")));
  }

  @Test
  void aChargeIsNeverRefusedForItsState() {
    Buffer busy = Buffer.buffer("{\"detail\":\"this key is in progress\"}");

    assertThat(HttpPspCodec.attempt(CHARGE, 409, busy))
        .as("it may have been made by the attempt whose answer was lost")
        .isEqualTo(new Answered(new Unavailable("the PSP answered 409: this key is in progress")));
    assertThat(HttpPspCodec.attempt(CANCEL, 409, busy))
        .isEqualTo(new Answered(new Refused("this key is in progress")));
    assertThat(HttpPspCodec.attempt(CANCEL, 409, Buffer.buffer()))
        .isEqualTo(new Answered(new Refused("status 409")));
  }

  @Test
  void onlyThePspItselfMissesACharge() {
    assertThat(HttpPspCodec.attempt(CANCEL, 404, Buffer.buffer("{\"detail\":\"no such charge\"}")))
        .isEqualTo(new Answered(new Refused("no such charge")));
    assertThat(HttpPspCodec.attempt(CANCEL, 404, Buffer.buffer("<html>Not Found</html>")))
        .as("a proxy on the way knows no charges")
        .isEqualTo(new Answered(new Rejected(404, "status 404")));
  }

  @ParameterizedTest
  @CsvSource({"id, ''", "id, ", "currency, ''", "status, ''"})
  void aYesWithoutWhatMakesAChargeIsNoAnswer(String member, @Nullable String value) {
    assertIsNoAnswer(charge().put(member, value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"42", "{\"a\":1}", "\"  \"", "\"ch_\\u0000\"", "\"ch_\\r\\n\"", "\"ch \""})
  void anIdIsPrintableText(String id) {
    assertIsNoAnswer(charge().put("id", Json.decodeValue(id)));
    assertIsNoAnswer(
        charge()
            .put("refund", new JsonObject().put("id", Json.decodeValue(id)).put("amount", 100)));
  }

  @Test
  void anIdIsNoLongerThanTheBooksTakeIt() {
    String longest = "c".repeat(255);

    assertThat(HttpPspCodec.attempt(CHARGE, 201, charge().put("id", longest).toBuffer()))
        .isInstanceOf(Answered.class);
    assertIsNoAnswer(charge().put("id", longest + "c"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"100.9", "100.0", "18446744073709551716", "\"100\"", "null", "true"})
  void aSumIsAWholeNumber(String sum) {
    for (String member : List.of("amount", "captured_amount", "refunded_amount")) {
      assertIsNoAnswer(charge().put(member, Json.decodeValue(sum)));
    }
    assertIsNoAnswer(
        charge()
            .put(
                "refund", new JsonObject().put("id", "re_1").put("amount", Json.decodeValue(sum))));
  }

  private static void assertIsNoAnswer(JsonObject charge) {
    assertThat(HttpPspCodec.attempt(CHARGE, 201, charge.toBuffer()))
        .as("money may have moved: %s", charge)
        .isEqualTo(NO_CHARGE);
  }

  private static JsonObject charge() {
    JsonObject charge =
        new JsonObject()
            .put("id", "ch_1")
            .put("amount", 100)
            .put("currency", "EUR")
            .put("status", "captured")
            .put("captured_amount", 100)
            .put("refunded_amount", 0);
    assertThat(HttpPspCodec.attempt(CHARGE, 201, charge.toBuffer())).isInstanceOf(Answered.class);
    return charge;
  }
}
