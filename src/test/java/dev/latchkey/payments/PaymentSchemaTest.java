package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.json.StrictJson;
import dev.latchkey.ledger.Metadata;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PaymentSchemaTest {

  private static final String METHOD = "\"payment_method\":\"pm_card_visa\"";

  private final PaymentSchema schema = new PaymentSchema("pm_card_visa"::equals);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.0",
        "1e3",
        "1E3",
        "1.5",
        "0",
        "-0",
        "-1",
        "100000000000",
        "9007199254740993",
        "9223372036854775808",
        "18446744073709551617",
        "100000000000000000000000000000",
        "\"100\"",
        "true",
        "null",
        "[100]",
        "{}"
      })
  void anAmountIsAnIntegerWithinBounds(String amount) {
    assertThat(ErrorPointers.of(() -> schema.create(json(create(amount, "EUR")))))
        .containsExactly("/amount");
    assertThat(ErrorPointers.of(() -> schema.capture("pay_1", json("{\"amount\":" + amount + "}"))))
        .containsExactly("/amount");
    assertThat(ErrorPointers.of(() -> schema.refund("pay_1", json("{\"amount\":" + amount + "}"))))
        .containsExactly("/amount");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 99_999_999_999L})
  void anAmountMayBeAnythingBetween(long amount) {
    Command.Create create = (schema.create(json(create(Long.toString(amount), "EUR"))));

    assertThat(create.details().amount()).isEqualTo(amount);
    assertThat(create.capture()).as("captured at once unless asked otherwise").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"EUR", "JPY", "BOV", "USN", "UYW", "VED", "XAD", "XCG", "ZWG"})
  void aCurrencyMayBeAnyOfIsoAlsoWhereTheRuntimeDoesNotKnowIt(String currency) {
    assertThat((schema.create(json(create("1", currency)))).details().currency())
        .isEqualTo(currency);
  }

  @ParameterizedTest
  @ValueSource(strings = {"eur", "EURO", "EU", "", "ZZZ", "978", " EUR"})
  void aCurrencyIsAnIsoCodeInUpperCase(String currency) {
    assertThat(ErrorPointers.of(() -> schema.create(json(create("1", currency)))))
        .containsExactly("/currency");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                       | /amount,/currency,/payment_method",
        "[]                                       | ``",
        "null                                     | ``",
        "\"text\"                                 | ``",
        "{\"amount\":0,\"currency\":1,\"x\":1}    | /x,/amount,/currency,/payment_method",
      })
  void reportsAllErrorsAtOnce(String body, String expected) {
    assertThat(String.join(",", ErrorPointers.of(() -> schema.create(json(body)))))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"customer\":7                        | /customer",
        "\"customer\":null                     | /customer",
        "\"description\":{}                    | /description",
        "\"capture\":\"true\"                  | /capture",
        "\"capture\":1                         | /capture",
        "\"capture\":null                      | /capture",
        "\"metadata\":[]                       | /metadata",
        "\"metadata\":\"a\"                    | /metadata",
        "\"metadata\":{\"a\":null}             | /metadata/a",
        "\"metadata\":{\"a/b\":{},\"c\":[]}    | /metadata/a~1b,/metadata/c",
        "\"captured\":true                     | /captured",
        "\"id\":\"pay_1\"                      | /id",
        "\"Amount\":1                          | /Amount",
      })
  void otherMembersAreCheckedToo(String member, String expected) {
    String body = "{\"amount\":1,\"currency\":\"EUR\"," + METHOD + "," + member + "}";

    assertThat(String.join(",", ErrorPointers.of(() -> schema.create(json(body)))))
        .isEqualTo(expected);
  }

  @Test
  void rejectsAnUnknownPaymentMethod() {
    String body = "{\"amount\":1,\"currency\":\"EUR\",\"payment_method\":\"pm_other\"}";

    assertThat(ErrorPointers.of(() -> schema.create(json(body))))
        .containsExactly("/payment_method");
  }

  @Test
  void lengthsAreCountedInCharactersAndHoldAtTheBound() {
    assertThat(with("customer", "😀".repeat(255)).details().customer()).isPresent();
    assertThat(errorsWith("customer", "a".repeat(256))).containsExactly("/customer");
    assertThat(with("description", "a".repeat(1_000)).details().description()).isPresent();
    assertThat(errorsWith("description", "a".repeat(1_001))).containsExactly("/description");
  }

  @Test
  void metadataHoldsItsBounds() {
    assertThat(metadata(members(50)).members()).hasSize(50);
    assertThat(errorsInMetadata(members(51))).containsExactly("/metadata");
    assertThat(metadata("\"" + "n".repeat(40) + "\":\"" + "v".repeat(500) + "\"").members())
        .hasSize(1);
    assertThat(errorsInMetadata("\"" + "n".repeat(41) + "\":1")).hasSize(1);
    assertThat(errorsInMetadata("\"n\":\"" + "v".repeat(501) + "\""))
        .containsExactly("/metadata/n");
  }

  @Test
  void metadataKeepsValuesAndOrder() {
    Metadata metadata =
        metadata("\"z\":\"text\",\"a\":12345678901234567890.5,\"m\":true,\"b\":9007199254740993");

    assertThat(metadata.members().keySet()).containsExactly("z", "a", "m", "b");
    assertThat(metadata.members())
        .isEqualTo(
            Map.of(
                "z", new Metadata.Text("text"),
                "a", new Metadata.Numeric(new BigDecimal("12345678901234567890.5")),
                "m", new Metadata.Flag(true),
                "b", new Metadata.Numeric(new BigDecimal("9007199254740993"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e20000", "1e-20000", "1e999999999"})
  void metadataNumberWithALargeExponentIsRejected(String number) {
    assertThat(errorsInMetadata("\"a\":" + number)).containsExactly("/metadata/a");
  }

  @Test
  void errorsAreBoundedInNumberAndSize() {
    StringBuilder body = new StringBuilder("{\"").append("x".repeat(10_000)).append("\":0");
    for (int i = 0; i < 1_000; i++) {
      body.append(",\"unknown").append(i).append("\":1");
    }
    List<String> pointers =
        ErrorPointers.of(() -> schema.create(json(body.append('}').toString())));

    assertThat(pointers).hasSize(20);
    assertThat(pointers.get(0)).hasSizeLessThan(120).endsWith("...");
  }

  @Test
  void theOtherCallsTakeAnEmptyObject() {
    assertThat((schema.capture("pay_1", json("{}"))))
        .isEqualTo(new Command.Capture("pay_1", OptionalLong.empty()));
    assertThat((schema.cancel("pay_1", json("{}")))).isEqualTo(new Command.Cancel("pay_1"));
    assertThat((schema.refund("pay_1", json("{\"amount\":5,\"reason\":\"late\"}"))))
        .isEqualTo(new Command.Refund("pay_1", OptionalLong.of(5), Optional.of("late")));
    assertThat(ErrorPointers.of(() -> schema.cancel("pay_1", json("{\"amount\":1}"))))
        .containsExactly("/amount");
    assertThat(ErrorPointers.of(() -> schema.capture("pay_1", json("{\"reason\":\"\"}"))))
        .containsExactly("/reason");
    assertThat(ErrorPointers.of(() -> schema.refund("pay_1", json("{\"reason\":1}"))))
        .containsExactly("/reason");
  }

  private Command.Create with(String name, String text) {
    return (schema.create(json(member("\"" + name + "\":\"" + text + "\""))));
  }

  private List<String> errorsWith(String name, String text) {
    return ErrorPointers.of(() -> schema.create(json(member("\"" + name + "\":\"" + text + "\""))));
  }

  private Metadata metadata(String members) {
    return (schema.create(json(member("\"metadata\":{" + members + "}")))).details().metadata();
  }

  private List<String> errorsInMetadata(String members) {
    return ErrorPointers.of(() -> schema.create(json(member("\"metadata\":{" + members + "}"))));
  }

  private static String members(int count) {
    StringBuilder members = new StringBuilder("\"m0\":0");
    for (int i = 1; i < count; i++) {
      members.append(",\"m").append(i).append("\":").append(i);
    }
    return members.toString();
  }

  private static String member(String member) {
    return "{\"amount\":1,\"currency\":\"EUR\"," + METHOD + "," + member + "}";
  }

  private static String create(String amount, String currency) {
    return "{\"amount\":" + amount + ",\"currency\":\"" + currency + "\"," + METHOD + "}";
  }

  private static JsonNode json(String text) {
    try {
      return StrictJson.parse(text.getBytes(StandardCharsets.UTF_8), StrictJson.DEFAULT_MAX_DEPTH);
    } catch (MalformedJsonException e) {
      throw new AssertionError(e.detail(), e);
    }
  }
}
