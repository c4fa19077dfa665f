package dev.latchkey.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenConnectionsTest {

  private final OpenConnections connections = new OpenConnections(2);

  private static final class Fake implements OpenConnections.Connection {
    boolean idle = true;
    boolean closed;

    Fake(boolean idle) {
      this.idle = idle;
    }

    @Override
    public boolean isIdle() {
      return idle;
    }

    @Override
    public void closeIfIdle() {
      closed = true;
    }
  }

  @Test
  void oldestIdleConnectionIsReplaced() {
    Fake busy = new Fake(false);
    Fake idle = new Fake(true);
    Fake next = new Fake(false);
    assertThat(connections.add(busy)).isTrue();
    assertThat(connections.add(idle)).isTrue();
    assertThat(connections.add(next)).isTrue();
    assertThat(idle.closed).isTrue();
    assertThat(busy.closed).isFalse();
    assertThat(connections.add(new Fake(false))).as("all are busy").isFalse();

    connections.remove(idle);
    assertThat(connections.add(new Fake(false))).as("its place was taken").isFalse();
    connections.remove(next);
    assertThat(connections.add(new Fake(false))).isTrue();
  }

  @Test
  void costOfANewConnectionIsBounded() {
    OpenConnections many = new OpenConnections(1_000);
    int[] examined = {0};
    for (int i = 0; i < 1_000; i++) {
      many.add(
          new OpenConnections.Connection() {
            @Override
            public boolean isIdle() {
              examined[0]++;
              return false;
            }

            @Override
            public void closeIfIdle() {}
          });
    }
    assertThat(many.add(new Fake(true))).isFalse();
    assertThat(examined[0]).isLessThanOrEqualTo(256);
  }
}
