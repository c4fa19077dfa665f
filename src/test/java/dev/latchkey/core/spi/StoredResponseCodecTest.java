package dev.latchkey.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class StoredResponseCodecTest {

  private static final StoredResponse SAMPLE =
      new StoredResponse(
          true,
          201,
          List.of(
              new Header("Link", "<a>; rel=\"x\""),
              new Header("X-Empty", ""),
              new Header("Link", "<b>; rel=\"\u20ac\"")),
          Buffer.buffer(new byte[] {0, -1, 127, -128}),
          List.of(new Header("Digest", "caf\u00e9")));

  @Property
  void decodesWhatItEncoded(@ForAll("responses") StoredResponse response) {
    byte[] bytes = StoredResponseCodec.encode(response);

    assertThat(bytes[0]).isEqualTo(StoredResponseCodec.VERSION);
    assertThat(StoredResponseCodec.decode(bytes)).isEqualTo(response);
  }

  @Property
  void refusesARecordCutAnywhere(@ForAll("responses") StoredResponse response) {
    byte[] bytes = StoredResponseCodec.encode(response);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertRefused(cut, length == 0 ? "version" : "truncated");
    }
  }

  @Property
  void answersOrRefusesAnyBytesButNeverBreaks(@ForAll byte[] noise, @ForAll byte status) {
    byte[] bytes = new byte[noise.length + 4];
    bytes[0] = StoredResponseCodec.VERSION;
    bytes[1] = 1;
    bytes[3] = status;
    System.arraycopy(noise, 0, bytes, 4, noise.length);
    try {
      byte[] again = StoredResponseCodec.encode(StoredResponseCodec.decode(bytes));
      // A wide text whose chars are all narrow is readable, and written shorter.
      assertThat(again.length).isLessThanOrEqualTo(bytes.length);
    } catch (StoreException refused) {
      assertThat(refused.outcome()).isEqualTo(StoreException.Outcome.NOT_DONE);
    }
  }

  @Example
  void refusesEveryOtherVersion() {
    byte[] bytes = StoredResponseCodec.encode(SAMPLE);
    for (int version = 0; version < 256; version++) {
      bytes[0] = (byte) version;
      if (version != StoredResponseCodec.VERSION) {
        assertRefused(bytes, "version " + version);
      }
    }
  }

  @Example
  void refusesUnknownFlagsBytesThatFollowAndNegativeLengths() {
    byte[] flags = StoredResponseCodec.encode(SAMPLE);
    flags[1] = 3;
    assertRefused(flags, "flags 3");
    byte[] encoded = StoredResponseCodec.encode(SAMPLE);
    assertRefused(Arrays.copyOf(encoded, encoded.length + 2), "2 extra bytes");
    byte[] negative = StoredResponseCodec.encode(SAMPLE);
    negative[4] = (byte) 0xFF;
    assertRefused(negative, "negative");
  }

  @Example
  void refusesAHugeCountWithoutAllocatingForIt() {
    byte[] bytes = StoredResponseCodec.encode(SAMPLE);
    bytes[4] = 0x7F;
    assertRefused(bytes, "truncated");
  }

  @Example
  void keepsThatAnAnswerWasNotRetained() {
    StoredResponse response = StoredResponse.notRetained(201, Optional.of("/v1/payments/pay_1"));

    StoredResponse decoded = StoredResponseCodec.decode(StoredResponseCodec.encode(response));

    assertThat(decoded.retained()).isFalse();
    assertThat(decoded.header("location")).contains("/v1/payments/pay_1");
  }

  @Example
  void sharesNoBytesWithTheRecord() {
    byte[] bytes = StoredResponseCodec.encode(SAMPLE);
    StoredResponse decoded = StoredResponseCodec.decode(bytes);

    Arrays.fill(bytes, (byte) 9);

    assertThat(decoded).isEqualTo(SAMPLE);
  }

  @Example
  void writesTheFormatThatIsDocumented() {
    StoredResponse response =
        StoredResponse.of(201, List.of(new Header("A", "\u20ac")), Buffer.buffer("{}"));

    assertThat(StoredResponseCodec.encode(response))
        .containsExactly(
            1, 1, 0, 201, 0, 0, 0, 1, 0, 0, 0, 1, 'A', 0x80, 0, 0, 1, 0x20, 0xAC, 0, 0, 0, 0, 0, 0,
            0, 2, '{', '}');
  }

  private static void assertRefused(byte[] bytes, String why) {
    assertThatThrownBy(() -> StoredResponseCodec.decode(bytes))
        .isInstanceOfSatisfying(
            StoreException.class,
            refused -> {
              assertThat(refused.outcome()).isEqualTo(StoreException.Outcome.NOT_DONE);
              assertThat(refused).hasMessageContaining(why).hasMessageContaining("retry");
            });
  }

  @Provide
  Arbitrary<StoredResponse> responses() {
    Arbitrary<String> text =
        Arbitraries.oneOf(
            Arbitraries.strings().ascii().ofMaxLength(20),
            Arbitraries.strings().withCharRange('\u0000', '\u00ff').ofMaxLength(20),
            Arbitraries.strings().withCharRange('\u0000', '\uffff').ofMaxLength(20));
    Arbitrary<List<Header>> headers =
        Combinators.combine(text, text).as(Header::new).list().ofMaxSize(5);
    Arbitrary<Buffer> body =
        Arbitraries.bytes().array(byte[].class).ofMaxSize(300).map(Buffer::buffer);
    return Combinators.combine(
            Arbitraries.of(true, false),
            Arbitraries.integers().between(100, 999),
            headers,
            body,
            headers)
        .as(StoredResponse::new);
  }
}
