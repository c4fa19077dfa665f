package dev.latchkey.service.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.web.ProblemType;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemPagesTest {

  private final ProblemPages pages = new ProblemPages();

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
    assertThat(pages.page(name).orElseThrow())
        .contains("/problems/" + name, "Is a retry safe?", "What to do")
        .doesNotContain("{{", "<p></p>");
  }

  @Test
  void pagesHaveTheTitlesOfTheProblems() throws Exception {
    for (Field constant : ProblemType.class.getDeclaredFields()) {
      if (constant.getType() == ProblemType.class) {
        ProblemType type = (ProblemType) constant.get(null);
        assertThat(pages.page(type.name()).orElseThrow()).contains(type.title());
      }
    }
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
    assertThat(pages.page(name).orElseThrow().replaceAll("\\s+", " ")).contains(words);
  }

  @Test
  void unknownProblemHasNoPage() {
    assertThat(pages.page("nothing")).isEmpty();
  }

  @Test
  void everyProblemOccursOnce() throws Exception {
    try (InputStream in = ProblemPages.class.getResourceAsStream("problems.yaml")) {
      String texts = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(texts.lines().filter(line -> line.startsWith("- name: "))).doesNotHaveDuplicates();
    }
  }
}
