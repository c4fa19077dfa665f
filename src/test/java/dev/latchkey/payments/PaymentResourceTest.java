package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.testing.SeededTest;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

class PaymentResourceTest {

  private static final int[] AWKWARD = {0, 7, '\b', '\n', 0x1F, '"', '\\', '/', 0x7F, 0x2028};

  /** Written in two ways: straight away, and as the object that is the definition. */
  @SeededTest
  void bytesAreThoseOfTheObject(Random random) {
    Resource resource = new PaymentResource(payment(random));

    assertThat(resource.bytes()).isEqualTo(resource.json().toBuffer());
  }

  private static Payment payment(Random random) {
    Map<String, Metadata.Value> members = new LinkedHashMap<>();
    for (int n = random.nextInt(5); n > 0; n--) {
      members.put(text(random, 10), value(random));
    }
    long createdAt = random.nextLong(1L << 42);
    return new Payment(
        text(random, 30),
        new PaymentOrigin("acme", "k", "d", text(random, 30), createdAt),
        new PaymentDetails(
            random.nextLong(),
            text(random, 3),
            text(random, 20),
            maybe(random, 255),
            maybe(random, 10_000),
            new Metadata(members)),
        new PaymentState(
            PaymentStatus.values()[random.nextInt(PaymentStatus.values().length)],
            random.nextInt(1_000),
            random.nextLong(),
            random.nextBoolean(),
            Optional.empty(),
            random.nextBoolean() ? createdAt : random.nextLong(1L << 42),
            random.nextInt()));
  }

  private static Metadata.Value value(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> new Metadata.Text(text(random, 50));
      case 1 -> new Metadata.Flag(random.nextBoolean());
      default ->
          new Metadata.Numeric(
              new BigDecimal(new BigInteger(120, random), random.nextInt(800) - 400));
    };
  }

  private static Optional<String> maybe(Random random, int most) {
    return random.nextBoolean() ? Optional.empty() : Optional.of(text(random, most));
  }

  private static String text(Random random, int most) {
    int kind = random.nextInt(3);
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(most + 1); n > 0; n--) {
      int any = random.nextInt(Character.MAX_CODE_POINT + 1);
      int awkward = AWKWARD[random.nextInt(AWKWARD.length)];
      int codePoint = kind == 0 ? 'a' + n % 26 : kind == 1 ? awkward : any;
      text.appendCodePoint(Character.getType(codePoint) == Character.SURROGATE ? 'x' : codePoint);
    }
    return text.toString();
  }
}
