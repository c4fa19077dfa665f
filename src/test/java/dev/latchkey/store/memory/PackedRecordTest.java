package dev.latchkey.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import dev.latchkey.packed.Packed;
import dev.latchkey.packed.Packer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PackedRecordTest {

  private final Packer packer = new Packer();

  @Property
  void aRecordComesBackAsItWas(
      @ForAll("keys") ScopedKey key,
      @ForAll long tokenHigh,
      @ForAll long tokenLow,
      @ForAll int attempt,
      @ForAll long createdAt,
      @ForAll long expiresAt,
      @ForAll byte[] response) {
    byte[] sketch = {1, 2, (byte) attempt};
    byte[] fingerprint = new byte[Fingerprint.HASH_BYTES];
    fingerprint[attempt & 31] = (byte) createdAt;
    Token token = new Token(tokenHigh, tokenLow);
    MemoryRecord record =
        new MemoryRecord(
            key,
            Fingerprint.of(fingerprint, sketch),
            token,
            attempt,
            Math.min(createdAt, expiresAt),
            Math.max(createdAt, expiresAt),
            response);
    PackedRecord.pack(record, packer);
    byte[] packed = Packed.takenFrom(packer);

    MemoryRecord read = PackedRecord.unpack(packed, 0);

    assertThat(read.key()).isEqualTo(key);
    assertThat(read.fingerprint()).isEqualTo(record.fingerprint());
    assertThat(read.fingerprint().memberSketch()).isEqualTo(sketch);
    assertThat(read.wasCompletedBy(token)).isTrue();
    assertThat(read.attempt()).isEqualTo(attempt);
    assertThat(read.createdAtMillis()).isEqualTo(record.createdAtMillis());
    assertThat(read.deadlineMillis()).isEqualTo(record.deadlineMillis());
    assertThat(read.response()).isEqualTo(response);
  }

  @Property
  void isFoundByItsOwnKeyAlone(@ForAll("keys") ScopedKey key, @ForAll("keys") ScopedKey other) {
    PackedRecord.pack(recordOf(key), packer);
    byte[] packed = Packed.takenFrom(packer);

    assertThat(PackedRecord.isOf(key, packed, 0)).isTrue();
    assertThat(PackedRecord.isOf(other, packed, 0)).isEqualTo(other.equals(key));
  }

  /** Such as a packing that ran out of memory would leave. */
  @Property(tries = 20)
  void whatWasLeftInThePackerIsNoPartOfARecord(@ForAll("keys") ScopedKey key) {
    packer.text("left over");
    PackedRecord.pack(recordOf(key), packer);

    assertThat(PackedRecord.isOf(key, Packed.takenFrom(packer), 0)).isTrue();
  }

  private static MemoryRecord recordOf(ScopedKey key) {
    return new MemoryRecord(
        key,
        Fingerprint.of(new byte[Fingerprint.HASH_BYTES]),
        new Token(1, 2),
        1,
        0,
        1,
        new byte[0]);
  }

  /** Of few letters, so that two are often equal in a part; any characters, wide ones included. */
  @Provide
  Arbitrary<ScopedKey> keys() {
    Arbitrary<String> texts =
        Arbitraries.oneOf(
            Arbitraries.strings().withChars("a\u00e9\u20ac").ofMinLength(1).ofMaxLength(2),
            Arbitraries.strings().ofMinLength(1).ofMaxLength(60),
            Arbitraries.strings().ascii().ofMinLength(200).ofMaxLength(255));
    return Combinators.combine(texts, texts, texts).as(ScopedKey::new);
  }
}
