package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
        "application/json ; profile=x",
        "application/merge-patch+json"
      })
  void json(String contentType) {
    assertThat(MediaType.isJson(contentType)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/json; charset=utf-16",
        "application/json; charset=iso-8859-1",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x"
      })
  void notJson(String contentType) {
    assertThat(MediaType.isJson(contentType)).isFalse();
  }
}
