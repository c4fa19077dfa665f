package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.AggregateWith;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of situations over HTTP/2, and the pages of its problems. */
class SituationHttp2Test extends MemoryServiceTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(textBlock = SituationContract.TABLE, delimiter = '|', useHeadersInDisplayName = true)
  void situationOverHttp2(@AggregateWith(Row.Reader.class) Row row) {
    row.check(scene().overHttp2());
  }

  @Test
  void everyProblemOfTheTableHasItsPage() {
    Node node = serve();
    SituationContract.TABLE
        .lines()
        .skip(1)
        .filter(line -> !line.isBlank())
        .map(line -> line.split("\\|")[2].strip())
        .filter(problem -> !problem.equals("-"))
        .distinct()
        .forEach(
            problem -> {
              Answer page = node.get("/problems/" + problem).send().expect(200);
              assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
              assertThat(page.body().toString()).contains("/problems/" + problem);
            });
  }
}
