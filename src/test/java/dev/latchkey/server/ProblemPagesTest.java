package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        .contains("/problems/" + name, "send the request again", "What to do")
        .doesNotContain("{{", "<p></p>");
  }

  @Test
  void thereIsNoOtherPage() {
    assertThat(pages.page("nothing")).isEmpty();
  }

  @Test
  void noProblemStandsThereTwice() throws Exception {
    try (InputStream in = ProblemPages.class.getResourceAsStream("problems.yaml")) {
      String texts = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(texts.lines().filter(line -> line.startsWith("- name: "))).doesNotHaveDuplicates();
    }
  }
}
