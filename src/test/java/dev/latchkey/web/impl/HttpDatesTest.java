package dev.latchkey.web.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class HttpDatesTest {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Property
  void isWhatTheFormatterWrites(
      @ForAll @LongRange(min = -70_000_000_000_000L, max = 260_000_000_000_000L) long millis) {
    assertThat(HttpDates.format(millis)).isEqualTo(TIME.format(Instant.ofEpochMilli(millis)));
  }

  @Test
  void writesTheExampleOfTheRfc() {
    assertThat(HttpDates.format(784_111_777_999L)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
  }
}
