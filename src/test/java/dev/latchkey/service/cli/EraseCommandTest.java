package dev.latchkey.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EraseCommandTest {

  private static final String REDIS = " --store redis --redis-uri redis://127.0.0.1:6379/0";

  private final RecordedActions actions = new RecordedActions();
  private final StringWriter err = new StringWriter();

  private int execute(String line) {
    return new LatchkeyCommand(Map.of(), actions, Map.of())
        .execute(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            ("erase " + line).split(" "));
  }

  @Test
  void subjectAndStoresAreRead() {
    assertThat(execute("--tenant acme --customer c_1" + REDIS)).isZero();
    assertThat(execute("--tenant acme --key k_1 --yes --port 0" + REDIS)).isZero();

    assertThat(actions.erased).hasSize(2);
    assertThat(actions.erased.get(0).tenant()).isEqualTo("acme");
    assertThat(actions.erased.get(0).customer()).contains("c_1");
    assertThat(actions.erased.get(0).yes()).as("a dry run").isFalse();
    assertThat(actions.erased.get(1).key()).contains("k_1");
    assertThat(actions.erased.get(1).yes()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "--customer c, --tenant",
    "--tenant t, Give either --customer or --key",
    "--tenant t --customer c --key k, Give either --customer or --key",
    "--tenant t --key k --store memory, keeps nothing after its process"
  })
  void incompleteSubjectIsRejected(String line, String named) {
    String stores = line.contains("--store") ? "" : REDIS;

    assertThat(execute(line + stores)).isEqualTo(2);
    assertThat(err.toString()).contains(named).hasLineCount(1);
    assertThat(actions.erased).isEmpty();
  }
}
