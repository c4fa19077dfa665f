package dev.latchkey.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {

  private final OpenConnections connections = new OpenConnections(2);
  private final EmbeddedChannel busy = new EmbeddedChannel();
  private final EmbeddedChannel idle = new EmbeddedChannel();
  private final EmbeddedChannel next = new EmbeddedChannel();

  private boolean add(EmbeddedChannel channel, boolean isIdle) {
    return connections.add(channel, () -> isIdle);
  }

  @Test
  void idleConnectionIsReplaced() {
    assertThat(add(busy, false)).isTrue();
    assertThat(add(idle, true)).isTrue();
    assertThat(add(next, false)).isTrue();
    idle.runPendingTasks();
    assertThat(idle.isOpen()).isFalse();
    assertThat(busy.isOpen()).isTrue();
    assertThat(add(new EmbeddedChannel(), false)).as("all are busy").isFalse();

    next.close();
    assertThat(add(new EmbeddedChannel(), false)).as("one closed").isTrue();
    assertThat(add(new EmbeddedChannel(), false)).isFalse();
  }

  @Test
  void connectionThatBecameBusyStaysOpen() {
    boolean[] isIdle = {true};
    connections.add(busy, () -> isIdle[0]);
    add(idle, true);
    add(next, true);
    isIdle[0] = false;
    busy.runPendingTasks();
    assertThat(busy.isOpen()).isTrue();
  }

  @Test
  void costOfANewConnectionIsBounded() {
    OpenConnections many = new OpenConnections(1_000);
    AtomicInteger examined = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) {
      many.add(
          new EmbeddedChannel(),
          () -> {
            examined.incrementAndGet();
            return false;
          });
    }
    assertThat(many.add(next, () -> true)).isFalse();
    assertThat(examined.get()).isLessThanOrEqualTo(256);
  }
}
