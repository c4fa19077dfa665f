package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DownstreamKeyTest {

  private static final Fingerprint ONE = Fingerprint.of(new byte[32]);
  private static final Fingerprint TWO =
      Fingerprint.of("x".repeat(32).getBytes(StandardCharsets.US_ASCII));

  @Test
  void staysTheSameFromReleaseToRelease() {
    // A PSP remembers keys for longer than a release lives.
    assertThat(DownstreamKey.derive("acme", "k1", "POST /v1/payments", ONE, "charge"))
        .isEqualTo("320b1f350b82c308c90d1fa6876f72d81c5f4b15124f2babe15e30e8ae3bbc5f");
  }

  @Test
  void everyPartCountsAndNoneRunsIntoTheNext() {
    List<String> keys =
        List.of(
            DownstreamKey.derive("t", "k", "r", ONE, "n"),
            DownstreamKey.derive("T", "k", "r", ONE, "n"),
            DownstreamKey.derive("t", "K", "r", ONE, "n"),
            DownstreamKey.derive("t", "k", "R", ONE, "n"),
            DownstreamKey.derive("t", "k", "r", TWO, "n"),
            DownstreamKey.derive("t", "k", "r", ONE, "N"),
            DownstreamKey.derive("tk", "", "r", ONE, "n"),
            DownstreamKey.derive("t", "kr", "", ONE, "n"),
            DownstreamKey.derive("t\ud800", "k", "r", ONE, "n"),
            DownstreamKey.derive("t\udc00", "k", "r", ONE, "n"),
            DownstreamKey.derive("t?", "k", "r", ONE, "n"));
    assertThat(keys).doesNotHaveDuplicates().allMatch(key -> key.matches("[0-9a-f]{64}"));
  }
}
