package dev.latchkey.load;

import static dev.latchkey.load.Loaded.small;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** The load command with several nodes. */
class LoadNodesTest {

  @Test
  void nodesOfOneServiceAreExactlyOnce() {
    try (BrokenService first = new BrokenService(BrokenService.Mode.CORRECT);
        SecondNode second = new SecondNode(SecondNode.Mode.CORRECT, first)) {
      Loaded loaded = Loaded.run(small(first.url() + "," + second.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.json().getLong("executed")).isEqualTo(10);
      assertThat(loaded.json().containsKey("nodes_not_audited")).isFalse();
      assertThat(second.lookups).as("every key on every node").hasValue(10);
    }
  }

  @Test
  void effectListedByOneNodeIsFound() {
    try (BrokenService first = new BrokenService(BrokenService.Mode.CORRECT);
        SecondNode second = new SecondNode(SecondNode.Mode.EXECUTES_TOO, first)) {
      Loaded loaded = Loaded.run(small(first.url() + "," + second.url(), "--keys", "1"));

      assertThat(loaded.exitCode()).as(loaded.out()).isEqualTo(1);
      assertThat(loaded.out()).contains("had more than one effect").contains("2 charges");
      JsonObject json = loaded.json();
      assertThat(json.getLong("executed")).isEqualTo(2);
      assertThat(json.getLong("max_effects_per_key")).isEqualTo(2);
    }
  }

  @Test
  void lateEffectAfterAHangUpIsFound() {
    try (BrokenService first = new BrokenService(BrokenService.Mode.CORRECT);
        SecondNode second = new SecondNode(SecondNode.Mode.EXECUTES_LATE, first)) {
      String[] hangUp = {"--keys", "1", "--hang-up", "1", "--slow-ms", "" + SecondNode.LATE_MILLIS};
      Loaded loaded = Loaded.run(small(first.url() + "," + second.url(), hangUp));

      assertThat(loaded.exitCode()).as(loaded.out()).isEqualTo(1);
      assertThat(loaded.json().getLong("executed")).isEqualTo(2);
    }
  }

  @Test
  void lostNodeIsReportedAndTheOthersAreAudited() {
    try (BrokenService first = new BrokenService(BrokenService.Mode.CORRECT);
        SecondNode second = new SecondNode(SecondNode.Mode.STOPS, first)) {
      Loaded loaded = Loaded.run(small(first.url() + "," + second.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.out())
          .containsPattern("not seen +payments that only " + second.url() + " lists, for 10 keys");
      JsonObject json = loaded.json();
      assertThat(json.getLong("executed")).isEqualTo(10);
      assertThat(json.getJsonArray("nodes_not_audited")).containsExactly(second.url());
    }
  }

  @Test
  void hangingNodeDoesNotDelayEveryKeyOfTheAudit() {
    try (BrokenService first = new BrokenService(BrokenService.Mode.CORRECT);
        SecondNode second = new SecondNode(SecondNode.Mode.SILENT_LOOKUPS, first)) {
      Loaded loaded =
          Loaded.withShortReads(
              small(first.url() + "," + second.url(), "--keys", "200", "--concurrency", "8"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.out()).contains("lists, for 200 keys");
      assertThat(second.lookups.get()).as("looks at a node that hangs").isLessThanOrEqualTo(24);
    }
  }

  @Test
  void hangingNodeAtTheStartRefusesTheRun() {
    try (BrokenService first = new BrokenService(BrokenService.Mode.CORRECT);
        SecondNode second = new SecondNode(SecondNode.Mode.SILENT, first)) {
      Loaded loaded = Loaded.withShortReads(small(first.url() + "," + second.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err())
          .contains("no response from " + second.url())
          .doesNotContain(first.url());
      assertThat(first.posts).hasValue(0);
      assertThat(second.posts).hasValue(0);
    }
  }

  @Test
  void deadNodeRefusesTheRun() throws IOException {
    // Bound but not listening, so that connections are refused.
    try (Socket nobody = new Socket();
        BrokenService service = new BrokenService(BrokenService.Mode.CORRECT)) {
      nobody.bind(new InetSocketAddress("127.0.0.1", 0));
      String dead = "http://127.0.0.1:" + nobody.getLocalPort();
      Loaded loaded = Loaded.run(small(dead + "," + service.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.errors()).contains("no response from " + dead).hasLineCount(1);
      assertThat(service.posts).hasValue(0);
    }
  }
}
