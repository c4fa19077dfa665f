package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdSourceTest {

  private final AtomicLong nowMillis = new AtomicLong(1_795_000_000_000L);
  private final InstantSource clock = () -> Instant.ofEpochMilli(nowMillis.get());
  private final IdSource ids = IdSource.timeOrdered(clock);

  @Test
  void sortsByTheMillisecondInWhichItWasMade() {
    String before = ids.next("pay_");
    for (long step = 1; step < 1L << 40; step *= 16) {
      nowMillis.addAndGet(step);
      String after = ids.next("pay_");
      assertThat(after).isGreaterThan(before);
      before = after;
    }
  }

  @Test
  void isPrefixAndThirtyTwoDigits() {
    assertThat(ids.next("re_")).matches("re_[0-9a-f]{32}");
    nowMillis.set(0);
    assertThat(ids.next("re_")).matches("re_0{12}[0-9a-f]{20}");
  }

  @Test
  void differsWithinAMillisecond() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      seen.add(ids.next("pay_").substring(16));
    }
    assertThat(seen).hasSize(10_000);
  }
}
