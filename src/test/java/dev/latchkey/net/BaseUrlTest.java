package dev.latchkey.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BaseUrlTest {

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8080, 127.0.0.1, 8080, false, /v1",
    "http://localhost, localhost, 80, false, /v1",
    "HTTPS://pay.example/, pay.example, 443, true, /v1",
    "https://pay.example:8443/behind/a/proxy/, pay.example, 8443, true, /behind/a/proxy/v1",
    "http://[::1]:8080, ::1, 8080, false, /v1"
  })
  void parsesABaseUrl(String url, String host, int port, boolean tls, String uri) {
    BaseUrl base = BaseUrl.parse(url);

    assertThat(base.host()).isEqualTo(host);
    assertThat(base.port()).isEqualTo(port);
    assertThat(base.tls()).isEqualTo(tls);
    assertThat(base.request(HttpMethod.GET, "/v1").getURI()).isEqualTo(uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8080",
        "localhost:8080",
        "ftp://a",
        "http://",
        "http://a:0",
        "http://a:65536",
        "http://a?b=c",
        "http://a#b",
        "http://a b"
      })
  void rejectsAnythingElseAndNamesIt(String url) {
    assertThatThrownBy(() -> BaseUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + url + "'");
  }

  @Test
  void rejectsAPasswordWithoutRepeatingIt() {
    assertThatThrownBy(() -> BaseUrl.parse("http://me:s3cret@127.0.0.1:8080"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("user or password")
        .message()
        .doesNotContain("s3cret");
  }
}
