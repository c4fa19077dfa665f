package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.Refused;
import dev.latchkey.psp.PspResult.Rejected;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.psp.PspTransport.Outcome.Lost;
import dev.latchkey.psp.PspTransport.Outcome.Responded;
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
  private static final Lost NOT_A_CHARGE = new Lost("the response is not a charge");

  @Test
  void declineNeedsADeclineCode() {
    assertThat(HttpPspCodec.outcome(CHARGE, 402, Buffer.buffer("{\"decline_code\":\"lost_card\"}")))
        .isEqualTo(new Responded(new Declined("lost_card")));
    assertThat(HttpPspCodec.outcome(CHARGE, 402, Buffer.buffer()))
        .as("a proxy may have sent it")
        .isEqualTo(new Responded(new Rejected(402, "status 402")));
  }

  @Test
  void textOfThePspIsOneBoundedLine() {
    String detail = "a\u001b[2J\r\nb\u2028" + " ".repeat(60_000) + "c";
    Buffer body = new JsonObject().put("detail", detail).put("decline_code", detail).toBuffer();

    assertThat(HttpPspCodec.outcome(CANCEL, 409, body))
        .isEqualTo(new Responded(new Refused("a[2Jb")));
    assertThat(HttpPspCodec.outcome(CHARGE, 402, body))
        .isEqualTo(new Responded(new Declined("a[2Jb")));
    Buffer blank = Buffer.buffer("{\"decline_code\":\"\\n\"}");
    assertThat(HttpPspCodec.outcome(CHARGE, 402, blank))
        .isEqualTo(new Responded(new Rejected(402, "status 402")));
  }

  @Test
  void conflictOnAChargeIsRetryable() {
    Buffer busy = Buffer.buffer("{\"detail\":\"this key is in progress\"}");

    assertThat(HttpPspCodec.outcome(CHARGE, 409, busy))
        .as("an earlier send may have made it")
        .isEqualTo(
            new Responded(new Unavailable("the PSP responded 409: this key is in progress")));
    assertThat(HttpPspCodec.outcome(CANCEL, 409, busy))
        .isEqualTo(new Responded(new Refused("this key is in progress")));
    assertThat(HttpPspCodec.outcome(CANCEL, 409, Buffer.buffer()))
        .isEqualTo(new Responded(new Refused("status 409")));
  }

  @Test
  void notFoundNeedsADetailToBeFinal() {
    assertThat(HttpPspCodec.outcome(CANCEL, 404, Buffer.buffer("{\"detail\":\"no such charge\"}")))
        .isEqualTo(new Responded(new Refused("no such charge")));
    assertThat(HttpPspCodec.outcome(CANCEL, 404, Buffer.buffer("<html>Not Found</html>")))
        .as("a proxy may have sent it")
        .isEqualTo(new Responded(new Rejected(404, "status 404")));
  }

  @ParameterizedTest
  @CsvSource({"id, ''", "id, ", "currency, ''", "status, ''"})
  void approvalWithoutRequiredMembersIsLost(String member, @Nullable String value) {
    assertIsLost(charge().put(member, value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"42", "{\"a\":1}", "\"  \"", "\"ch_\\u0000\"", "\"ch_\\r\\n\"", "\"ch \""})
  void idMustBePrintable(String id) {
    assertIsLost(charge().put("id", Json.decodeValue(id)));
    assertIsLost(
        charge()
            .put("refund", new JsonObject().put("id", Json.decodeValue(id)).put("amount", 100)));
  }

  @Test
  void idHasAtMost255Characters() {
    String longest = "c".repeat(255);

    assertThat(HttpPspCodec.outcome(CHARGE, 201, charge().put("id", longest).toBuffer()))
        .isInstanceOf(Responded.class);
    assertIsLost(charge().put("id", longest + "c"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"100.9", "100.0", "18446744073709551716", "\"100\"", "null", "true"})
  void amountsMustBeWholeNumbers(String sum) {
    for (String member : List.of("amount", "captured_amount", "refunded_amount")) {
      assertIsLost(charge().put(member, Json.decodeValue(sum)));
    }
    assertIsLost(
        charge()
            .put(
                "refund", new JsonObject().put("id", "re_1").put("amount", Json.decodeValue(sum))));
  }

  private static void assertIsLost(JsonObject charge) {
    assertThat(HttpPspCodec.outcome(CHARGE, 201, charge.toBuffer()))
        .as("%s", charge)
        .isEqualTo(NOT_A_CHARGE);
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
    assertThat(HttpPspCodec.outcome(CHARGE, 201, charge.toBuffer())).isInstanceOf(Responded.class);
    return charge;
  }
}
