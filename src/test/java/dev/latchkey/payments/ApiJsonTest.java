package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.Refund;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApiJsonTest {

  @Test
  void aPaymentWithoutAnythingOptional() {
    Payment payment = LedgerFixtures.payment("acme", "pay_1", 100, 0);

    assertThat(ApiJson.payment(payment).encode())
        .isEqualTo(
            "{'id':'pay_1','object':'payment','amount':100,'currency':'EUR',"
                .concat("'status':'requires_capture','captured_amount':0,")
                .concat("'refunded_amount':0,'payment_method':'pm_card_visa',")
                .concat("'customer':null,'description':null,'metadata':{},")
                .concat("'disputed':false,'psp_charge':'ch_pay_1',")
                .concat("'created_at':'1970-01-01T00:00:01.000Z',")
                .concat("'updated_at':'1970-01-01T00:00:01.000Z','version':1}")
                .replace('\'', '"'));
  }

  @Test
  void metadataComesBackByValueInItsOrder() {
    Map<String, Metadata.Value> members = new LinkedHashMap<>();
    members.put("z", new Metadata.Numeric(new BigDecimal("12345678901234567890.10")));
    members.put("y", new Metadata.Numeric(new BigDecimal("1e400")));
    members.put("x", new Metadata.Numeric(new BigDecimal("9007199254740993")));
    members.put("w", new Metadata.Flag(false));
    members.put("a", new Metadata.Text("\u2028\"\\"));
    PaymentDetails details =
        new PaymentDetails(
            1, "EUR", "pm", Optional.of("ann"), Optional.of("shoes"), new Metadata(members));
    Payment payment =
        new Payment(
            "pay_1",
            new PaymentOrigin("acme", "k", "d", "ch_1", 1),
            details,
            PaymentState.first(1, 1));

    assertThat(ApiJson.payment(payment).toBuffer().toString())
        .contains("\"customer\":\"ann\",\"description\":\"shoes\"")
        .contains(
            "{\"z\":12345678901234567890.10,\"y\":1E+400,\"x\":9007199254740993,\"w\":false,");
  }

  @Test
  void aRefund() {
    Refund refund =
        new Refund("acme", "re_1", "pay_1", 5, Optional.of("late"), "psp", "d", 1_700_000_000_123L);

    assertThat(ApiJson.refund(refund).encode().replace('"', '\''))
        .isEqualTo(
            "{'id':'re_1','object':'refund','payment':'pay_1','amount':5,'reason':'late',"
                + "'status':'succeeded','created_at':'2023-11-14T22:13:20.123Z'}");
  }

  @Test
  void listsAndBalance() {
    assertThat(
            ApiJson.page(new Page<dev.latchkey.ledger.Payment>(List.of(), false), ApiJson::payment)
                .encode())
        .isEqualTo("{\"data\":[],\"has_more\":false}");
    assertThat(ApiJson.balance(List.of(new Balance("EUR", 10, 4, 2))).encode())
        .isEqualTo(
            "{\"data\":[{\"currency\":\"EUR\",\"captured\":10,\"refunded\":4,\"net\":6,"
                + "\"payments\":2}]}");
  }
}
