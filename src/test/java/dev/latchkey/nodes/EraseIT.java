package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.servers.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code erase} as a process. */
class EraseIT {

  private static List<String> erase(int exitCode, Map<String, String> environment, String... more) {
    List<String> args = new ArrayList<>(List.of("erase", "--tenant", "default", "--key", "k"));
    args.addAll(List.of(more));
    try (LatchkeyProcess process =
        LatchkeyProcess.start(environment, args.toArray(String[]::new))) {
      assertThat(process.exitCode()).as("%s", process.err()).isEqualTo(exitCode);
      return exitCode == 0 ? process.out() : process.err();
    }
  }

  @Test
  void linesAreOnStandardOutput() {
    try (TestPsp psp = new TestPsp();
        PostgresNodesFixture fixture = new PostgresNodesFixture();
        LatchkeyProcess node = fixture.serve(psp.url(), "--replay-cache", "0")) {
      PaymentClient.payUntilPaid(node.url(), "k", PaymentClient.VISA);
      String line = "key \"k\" of POST /v1/payments: stored response";

      assertThat(erase(0, fixture.environment()))
          .containsExactly("would remove: " + line, "1 record; repeat with --yes");
      assertThat(erase(0, fixture.environment(), "--yes"))
          .containsExactly("removed: " + line, "1 record");
      assertThat(erase(0, fixture.environment())).containsExactly("nothing to remove");
    }
  }

  @Test
  void unreachableStoreExitsWith1() {
    String uri = "redis://default:a-secret-of-redis@127.0.0.1:" + Ports.free() + "/0";

    assertThat(erase(1, Map.of(), "--store", "redis", "--redis-uri", uri))
        .noneMatch(line -> line.contains("a-secret") || line.startsWith("\tat "))
        .anyMatch(line -> line.contains("erasing failed"));
  }
}
