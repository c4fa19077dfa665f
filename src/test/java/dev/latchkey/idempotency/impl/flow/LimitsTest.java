package dev.latchkey.idempotency.impl.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.idempotency.NodeOptions;
import org.junit.jupiter.api.Test;

/** Each bound of a node, at the bound, and that what is given back can be taken again. */
class LimitsTest {

  private final Limits limits =
      new Limits(
          new NodeOptions()
              .setMaxRunning(2)
              .setMaxParked(3)
              .setMaxParkedPerTenant(2)
              .setMaxParkedBodyBytes(10));

  @Test
  void attempts() {
    assertThat(limits.tryRun()).isTrue();
    assertThat(limits.tryRun()).isTrue();
    assertThat(limits.tryRun()).isFalse();
    assertThat(limits.running()).isEqualTo(2);
    limits.ran();
    assertThat(limits.tryRun()).isTrue();
  }

  @Test
  void parkedOfATenantAndOfTheNode() {
    assertThat(limits.tryPark("a")).isTrue();
    assertThat(limits.tryPark("a")).isTrue();
    assertThat(limits.tryPark("a")).isFalse();
    assertThat(limits.tryPark("b")).isTrue();
    assertThat(limits.tryPark("b")).as("the node is full").isFalse();
    assertThat(limits.parked()).isEqualTo(3);
    limits.unparked("a");
    assertThat(limits.tryPark("b")).isTrue();
    assertThat(limits.tryPark("a")).isFalse();
  }

  @Test
  void bodiesOfParkedKeys() {
    assertThat(limits.tryHoldBody(6)).isTrue();
    assertThat(limits.tryHoldBody(5)).isFalse();
    assertThat(limits.tryHoldBody(4)).isTrue();
    limits.dropBody(6);
    assertThat(limits.tryHoldBody(6)).isTrue();
  }
}
