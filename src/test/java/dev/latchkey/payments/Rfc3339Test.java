package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.SeededTest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Rfc3339Test {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @SeededTest
  void writesWhatTheFormatterWrites(Random random) {
    long millis = random.nextLong(-70_000_000_000_000L, 260_000_000_000_000L);
    assertThat(Rfc3339.text(millis)).isEqualTo(TIME.format(Instant.ofEpochMilli(millis)));
  }

  @Test
  void writesTheEndsOfItsRange() {
    for (String text :
        new String[] {
          "0001-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
        }) {
      assertThat(Rfc3339.text(Instant.parse(text).toEpochMilli())).isEqualTo(text);
    }
  }
}
