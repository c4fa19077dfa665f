package dev.latchkey.ledger.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import java.math.BigDecimal;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.arbitraries.MapArbitrary;

class PackedPaymentTest {

  private final Packer packer = new Packer();

  @Property
  void aPaymentComesBackAsItWas(@ForAll("payments") Payment payment) {
    Row row = new Row(1, payment);
    row.packed = PackedPayment.pack(payment, packer);
    byte[] before = row.packed.clone();
    PackedPayment.pack(payment, packer);

    assertThat(PackedPayment.unpack(row)).isEqualTo(payment);
    assertThat(row.packed).as("after the packer was used again").isEqualTo(before);
  }

  @Property
  void theOrderOfItsMetadataStays(@ForAll("metadata") Metadata metadata) {
    Payment payment = payment(metadata);
    Row row = new Row(1, payment);
    row.packed = PackedPayment.pack(payment, packer);

    assertThat(PackedPayment.unpack(row).details().metadata().members().keySet())
        .containsExactlyElementsOf(metadata.members().keySet());
  }

  @Provide
  Arbitrary<Payment> payments() {
    Arbitrary<PaymentOrigin> origins =
        Combinators.combine(texts(), texts(), texts(), texts(), Arbitraries.longs())
            .as(PaymentOrigin::new);
    Arbitrary<PaymentDetails> details =
        Combinators.combine(
                Arbitraries.longs(), texts(), texts(), optional(), optional(), metadata())
            .as(PaymentDetails::new);
    Arbitrary<PaymentState> states =
        Combinators.combine(
                Arbitraries.of(PaymentStatus.class),
                Arbitraries.longs(),
                Arbitraries.longs(),
                Arbitraries.of(true, false),
                optional(),
                Arbitraries.longs(),
                Arbitraries.longs())
            .as(PaymentState::new);
    return Combinators.combine(texts(), origins, details, states).as(Payment::new);
  }

  @Provide
  Arbitrary<Metadata> metadata() {
    Arbitrary<Metadata.Value> values =
        Arbitraries.oneOf(
            texts().map(Metadata.Text::new),
            Arbitraries.bigDecimals().map(Metadata.Numeric::new),
            Arbitraries.of("0.00", "1E+400", "-1E-400", "123456789012345678901234567890")
                .map(BigDecimal::new)
                .map(Metadata.Numeric::new),
            Arbitraries.of(true, false).map(Metadata.Flag::new));
    MapArbitrary<String, Metadata.Value> members = Arbitraries.maps(texts(), values);
    return members.ofMaxSize(8).map(Metadata::new);
  }

  /** Any characters, halves of pairs included. */
  private static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ascii().ofMaxLength(200), Arbitraries.strings().ofMaxLength(40));
  }

  private static Arbitrary<Optional<String>> optional() {
    return texts().optional();
  }

  private static Payment payment(Metadata metadata) {
    return new Payment(
        "pay_1",
        new PaymentOrigin("acme", "k", "derived", "ch_1", 1_000),
        new PaymentDetails(1, "EUR", "pm", Optional.empty(), Optional.empty(), metadata),
        PaymentState.first(1, 1_000));
  }
}
