package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.Rejected;
import dev.latchkey.psp.PspTransport.Attempt.Answered;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

class HttpPspCodecTest {

  private static final PspCall CHARGE = new PspCall.Charge(100, "EUR", "pm_card_visa", true);

  @Test
  void onlyThePspItselfDeclines() {
    assertThat(HttpPspCodec.attempt(CHARGE, 402, Buffer.buffer("{\"decline_code\":\"lost_card\"}")))
        .isEqualTo(new Answered(new Declined("lost_card")));
    assertThat(HttpPspCodec.attempt(CHARGE, 402, Buffer.buffer()))
        .as("a proxy on the way is no decline")
        .isEqualTo(new Answered(new Rejected(402, "status 402")));
  }
}
