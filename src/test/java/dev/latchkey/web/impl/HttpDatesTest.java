package dev.latchkey.web.impl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HttpDatesTest {

  @Test
  void datesAreFormattedAsInTheRfc() {
    assertThat(HttpDates.format(784_111_777_999L)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    assertThat(HttpDates.format(784_111_778_000L)).isEqualTo("Sun, 06 Nov 1994 08:49:38 GMT");
    assertThat(HttpDates.format(0)).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
  }
}
