package dev.latchkey.ledger.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.packed.Packed;
import dev.latchkey.packed.Packer;
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
  void aPaymentComesBackAsItWas(@ForAll("payments") Payment payment, @ForAll int earlier) {
    PackedPayment.pack(payment, Math.max(-1, earlier), packer);
    byte[] packed = Packed.takenFrom(packer);

    assertThat(PackedPayment.unpack(packed, 0)).isEqualTo(payment);
    assertThat(PackedPayment.earlier(packed, 0)).isEqualTo(Math.max(-1, earlier));
  }

  @Property
  void whatChangesIsWrittenAnewAndWhatItIsFoundByStays(
      @ForAll("payments") Payment first, @ForAll("payments") Payment other) {
    Payment changed = new Payment(first.id(), first.origin(), other.details(), other.state());
    PackedPayment.pack(first, 5, packer);
    byte[] before = Packed.takenFrom(packer);
    PackedPayment.repack(changed, before, 0, packer);
    byte[] packed = Packed.takenFrom(packer);

    assertThat(PackedPayment.unpack(packed, 0)).isEqualTo(changed);
    assertThat(PackedPayment.earlier(packed, 0)).isEqualTo(5);
  }

  @Property
  void isFoundByItsOwnTextsAlone(
      @ForAll("payments") Payment payment, @ForAll("payments") Payment other) {
    PackedPayment.pack(payment, -1, packer);
    byte[] packed = Packed.takenFrom(packer);
    String tenant = payment.tenant();
    String key = payment.origin().idempotencyKey();
    String charge = payment.origin().pspCharge();

    assertThat(PackedPayment.isId(payment.id(), packed, 0)).isTrue();
    assertThat(PackedPayment.isId(other.id(), packed, 0))
        .isEqualTo(other.id().equals(payment.id()));
    assertThat(PackedPayment.isCharge(charge, packed, 0)).isTrue();
    assertThat(PackedPayment.isCharge(charge + "x", packed, 0)).isFalse();
    assertThat(PackedPayment.isOf(tenant, packed, 0)).isTrue();
    assertThat(PackedPayment.isOf(tenant + "x", packed, 0)).isFalse();
    assertThat(PackedPayment.isOfKey(tenant, key, packed, 0)).isTrue();
    assertThat(PackedPayment.isOfKey(tenant, key + "\u20ac", packed, 0)).isFalse();
    assertThat(PackedPayment.isOfKey(tenant + "x", key, packed, 0)).isFalse();
  }

  @Property
  void theOrderOfItsMetadataStays(@ForAll("metadata") Metadata metadata) {
    PackedPayment.pack(payment(metadata), -1, packer);

    assertThat(
            PackedPayment.unpack(Packed.takenFrom(packer), 0)
                .details()
                .metadata()
                .members()
                .keySet())
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
