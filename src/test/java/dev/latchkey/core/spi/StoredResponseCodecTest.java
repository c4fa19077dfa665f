package dev.latchkey.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.latchkey.core.spi.StoredResponse.Header;
import dev.latchkey.testing.Samples;
import dev.latchkey.testing.SeededTest;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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

  @SeededTest
  void decodesWhatItEncoded(Random random) {
    StoredResponse response = response(random);
    byte[] bytes = StoredResponseCodec.encode(response);

    assertThat(bytes[0]).isEqualTo(StoredResponseCodec.VERSION);
    assertThat(StoredResponseCodec.decode(bytes)).isEqualTo(response);
  }

  @SeededTest(100)
  void refusesARecordCutAnywhere(Random random) {
    byte[] bytes = StoredResponseCodec.encode(response(random));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertRefused(cut, "truncated");
    }
  }

  @FuzzTest
  void fuzz(byte[] input) {
    decodesOrRefuses(input);
  }

  @SeededTest
  void decodesOrRefusesRandomBytes(Random random) {
    byte[] noise = Samples.bytes(random, 300);
    byte[] bytes = new byte[noise.length + 4];
    bytes[0] = StoredResponseCodec.VERSION;
    bytes[1] = 1;
    bytes[3] = (byte) random.nextInt();
    System.arraycopy(noise, 0, bytes, 4, noise.length);
    decodesOrRefuses(bytes);
  }

  private static void decodesOrRefuses(byte[] bytes) {
    try {
      byte[] again = StoredResponseCodec.encode(StoredResponseCodec.decode(bytes));
      // A wide text whose chars are all narrow is readable, and written shorter.
      assertThat(again.length).isLessThanOrEqualTo(bytes.length);
    } catch (StoreException refused) {
      assertThat(refused.outcome()).isEqualTo(StoreException.Outcome.NOT_DONE);
    }
  }

  @Test
  void refusesEveryOtherVersion() {
    byte[] bytes = StoredResponseCodec.encode(SAMPLE);
    for (int version = 0; version < 256; version++) {
      bytes[0] = (byte) version;
      if (version != StoredResponseCodec.VERSION) {
        assertRefused(bytes, "version " + version);
      }
    }
  }

  @Test
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

  @Test
  void refusesAHugeCountWithoutAllocatingForIt() {
    byte[] bytes = StoredResponseCodec.encode(SAMPLE);
    bytes[4] = 0x7F;
    assertRefused(bytes, "truncated");
  }

  @Test
  void keepsThatAnAnswerWasNotRetained() {
    StoredResponse response = StoredResponse.notRetained(201, Optional.of("/v1/payments/pay_1"));

    StoredResponse decoded = StoredResponseCodec.decode(StoredResponseCodec.encode(response));

    assertThat(decoded.retained()).isFalse();
    assertThat(decoded.header("location")).contains("/v1/payments/pay_1");
  }

  @Test
  void sharesNoBytesWithTheRecord() {
    byte[] bytes = StoredResponseCodec.encode(SAMPLE);
    StoredResponse decoded = StoredResponseCodec.decode(bytes);

    Arrays.fill(bytes, (byte) 9);

    assertThat(decoded).isEqualTo(SAMPLE);
  }

  @Test
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

  private static StoredResponse response(Random random) {
    return new StoredResponse(
        random.nextBoolean(),
        100 + random.nextInt(900),
        headers(random),
        Buffer.buffer(Samples.bytes(random, 300)),
        headers(random));
  }

  private static List<Header> headers(Random random) {
    return Stream.generate(() -> new Header(Samples.text(random, 20), Samples.text(random, 20)))
        .limit(random.nextInt(6))
        .toList();
  }
}
