package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.Refused;
import dev.latchkey.psp.PspResult.Rejected;
import dev.latchkey.psp.PspTransport.Attempt.Answered;
import dev.latchkey.psp.PspTransport.Attempt.Lost;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpPspCodecTest {

  private static final PspCall CHARGE = new PspCall.Charge(100, "EUR", "pm_card_visa", true);
  private static final PspCall CANCEL = new PspCall.Cancel("ch_1");

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
        .isEqualTo(new Answered(new Rejected(409, "this key is in progress")));
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
    JsonObject charge =
        new JsonObject()
            .put("id", "ch_1")
            .put("amount", 100)
            .put("currency", "EUR")
            .put("status", "captured")
            .put("captured_amount", 100)
            .put("refunded_amount", 0);
    assertThat(HttpPspCodec.attempt(CHARGE, 201, charge.toBuffer())).isInstanceOf(Answered.class);

    assertThat(HttpPspCodec.attempt(CHARGE, 201, charge.put(member, value).toBuffer()))
        .as("money may have moved")
        .isEqualTo(new Lost("an answer that is no charge"));
  }
}
