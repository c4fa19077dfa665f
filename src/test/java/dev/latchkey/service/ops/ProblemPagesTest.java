package dev.latchkey.service.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.web.ProblemType;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemPagesTest {

  private static final Map<String, String> PAGES = ProblemPages.render();

  private static String page(String name) {
    return Objects.requireNonNull(PAGES.get(name), name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idempotency-key-missing",
        "idempotency-key-malformed",
        "idempotency-key-reused",
        "request-in-progress",
        "attempt-failed",
        "attempt-unresolved",
        "store-unavailable",
        "too-many-waiting",
        "response-not-retained",
        "overloaded",
        "shutting-down",
        "invalid-request",
        "unauthorized",
        "not-found",
        "method-not-allowed",
        "body-too-large",
        "unsupported-media-type",
        "precondition-failed",
        "precondition-required",
        "payment-state",
        "card-declined",
        "psp-unavailable",
        "internal-error"
      })
  void everyProblemHasAPage(String name) {
    assertThat(page(name))
        .contains("/problems/" + name, "Is a retry safe?", "What to do")
        .doesNotContain("{{", "<p></p>");
  }

  @Test
  void pagesHaveTheTitlesOfTheProblems() throws Exception {
    for (Field constant : ProblemType.class.getDeclaredFields()) {
      if (constant.getType() == ProblemType.class) {
        ProblemType type = (ProblemType) constant.get(null);
        assertThat(page(type.name())).contains(type.title());
      }
    }
  }

  @Test
  void listNamesEveryProblem() {
    assertThat(PAGES.keySet())
        .allSatisfy(name -> assertThat(page(ProblemPages.INDEX)).contains("/problems/" + name));
    assertThat(page(ProblemPages.INDEX)).doesNotContain("{{").contains("<title>Problems");
  }

  /** Less common causes of a problem. */
  @ParameterizedTest
  @CsvSource({
    "overloaded, accepts no new keys",
    "overloaded, without a key",
    "idempotency-key-malformed, GET /v1/idempotency-keys/KEY",
    "idempotency-key-malformed, control characters",
    "idempotency-key-reused, No body and <code>{}</code> are different requests",
    "store-unavailable, Calls without a key",
    "shutting-down, waited here",
    "attempt-unresolved, With status 409",
    "invalid-request, 414 or 431",
  })
  void pageNamesTheLessCommonCauses(String name, String words) {
    assertThat(page(name).replaceAll("\\s+", " ")).contains(words);
  }

  @Test
  void unknownProblemHasNoPage() {
    assertThat(ProblemPages.render()).doesNotContainKey("nothing");
  }

  @Test
  void everyProblemOccursOnce() throws Exception {
    try (InputStream in = ProblemPages.class.getResourceAsStream("problems.yaml")) {
      String texts = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(texts.lines().filter(line -> line.startsWith("- name: "))).doesNotHaveDuplicates();
    }
  }
}
