package dev.latchkey.http;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.aggregator.ArgumentsAggregator;

/**
 * One line of {@link SituationContract#TABLE}.
 *
 * @param situation what happens
 * @param cells by column, a dash for what does not apply
 */
record Row(Situation situation, Map<String, String> cells) {

  private static final String NONE = "-";

  private static final String[] COLUMNS =
      "situation status problem state retryable headers runs charges store".split(" ");

  private static final Map<String, String> HEADERS =
      Map.of(
          "replayed", "Idempotent-Replayed",
          "expires", "Idempotency-Expires",
          "retry", "Retry-After");

  /** Makes a row of what JUnit reads. */
  static final class Reader implements ArgumentsAggregator {
    @Override
    public Object aggregateArguments(ArgumentsAccessor line, ParameterContext context) {
      return of(line.toList().stream().map(Object::toString).toArray(String[]::new));
    }
  }

  /** Finds the row of a situation. */
  static Row of(Situation situation) {
    return SituationContract.TABLE
        .lines()
        .map(line -> line.split("\\|"))
        .filter(line -> line[0].strip().equals(situation.name()))
        .map(Row::of)
        .findFirst()
        .orElseThrow();
  }

  private static Row of(String[] line) {
    Map<String, String> cells = new HashMap<>();
    for (int i = 0; i < COLUMNS.length; i++) {
      cells.put(COLUMNS[i], line[i].strip());
    }
    return new Row(Situation.valueOf(cells.get("situation")), cells);
  }

  /** Returns the status that the row asks for. */
  int status() {
    return number("status");
  }

  /** Plays the situation and compares all that the row says. */
  void check(Scene scene) {
    Answer answer = situation.play(scene);
    SoftAssertions all = new SoftAssertions();
    all.assertThat(answer.status()).as("status").isEqualTo(Integer.parseInt(cells.get("status")));
    boolean isProblem = !cells.get("problem").equals(NONE);
    all.assertThat(answer.problem()).as("problem").isEqualTo(isProblem ? cells.get("problem") : "");
    if (isProblem && !answer.problem().isEmpty()) {
      checkDocument(all, answer.json(), scene.key());
    }
    all.assertThat(answer.header("Link").orElse(""))
        .as("Link")
        .isEqualTo(
            isProblem ? "</problems/" + cells.get("problem") + ">; rel=\"describedby\"" : "");
    all.assertThat(headers(answer)).as("headers").isEqualTo(words(cells.get("headers")));
    if (!cells.get("state").equals(NONE) || !isProblem) {
      all.assertThat(answer.header("Idempotency-Key"))
          .as("Idempotency-Key")
          .hasValue('"' + scene.key() + '"');
    }
    if (cells.get("problem").equals("response-not-retained")) {
      all.assertThat(answer.header("Location").orElse("")).startsWith("/v1/payments/pay_");
    }
    answer.header("Retry-After").ifPresent(it -> all.assertThat(it).matches("[1-9][0-9]*"));
    all.assertThat(scene.executions()).as("runs").isEqualTo(number("runs"));
    all.assertThat(scene.pspStats().charges()).as("charges").isEqualTo(number("charges"));
    if (!cells.get("store").equals("any")) {
      String watch = "W{1," + (1 + scene.gaps()) + "}";
      String expected =
          cells.get("store").equals(NONE) ? "" : cells.get("store").replace("W", watch);
      all.assertThat(scene.storeCalls()).as("store").matches(expected);
    }
    all.assertAll();
  }

  private void checkDocument(SoftAssertions all, JsonObject document, String key) {
    all.assertThat(text(document, "state")).as("state").isEqualTo(cells.get("state"));
    all.assertThat(text(document, "retryable")).as("retryable").isEqualTo(cells.get("retryable"));
    boolean keyed = !cells.get("state").equals(NONE);
    all.assertThat(text(document, "idempotency_key")).isEqualTo(keyed ? key : NONE);
    all.assertThat(text(document, "status_url"))
        .isEqualTo(keyed ? "/v1/idempotency-keys/" + key : NONE);
    all.assertThat(document.getString("title")).isNotBlank();
    all.assertThat(document.getString("detail")).isNotBlank();
    all.assertThat(document.getString("instance")).startsWith("/v1/payments");
    all.assertThat(document.getInteger("status")).isEqualTo(number("status"));
  }

  @Override
  public String toString() {
    return situation.name();
  }

  private int number(String column) {
    return Integer.parseInt(cells.get(column));
  }

  private static String text(JsonObject document, String member) {
    Object value = document.getValue(member);
    return value == null ? NONE : value.toString();
  }

  private Set<String> headers(Answer answer) {
    return HEADERS.entrySet().stream()
        .filter(it -> answer.header(it.getValue()).isPresent())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static Set<String> words(String cell) {
    Set<String> words = new LinkedHashSet<>(Arrays.asList(cell.split(" ")));
    words.remove(NONE);
    return words;
  }
}
