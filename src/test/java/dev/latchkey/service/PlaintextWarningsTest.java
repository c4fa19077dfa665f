package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaintextWarningsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--psp-timeout 1s | 0",
        "--host 0.0.0.0 --insecure-no-auth | 1",
        "--host 0.0.0.0 --insecure-no-auth --tls-cert a --tls-key b | 0",
        "--postgres-uri postgresql://u:p@127.0.0.1/d | 0",
        "--postgres-uri postgresql://u:p@192.0.2.1/d | 1",
        "--postgres-uri postgresql://u:p@192.0.2.1/d?sslmode=prefer | 1",
        "--postgres-uri postgresql://u:p@192.0.2.1/d?sslmode=require | 0",
        "--redis-uri redis://:p@192.0.2.1/0 | 1",
        "--redis-uri redis://127.0.0.1,redis://192.0.2.1 | 1",
        "--redis-uri rediss://:p@192.0.2.1/0 | 0",
        "--psp-url http://192.0.2.1 | 1",
        "--psp-url http://[::1]:8090 | 0",
        "--psp-url https://192.0.2.1 | 0"
      })
  void eachConnectionToAnotherHostWithoutTlsIsOneWarning(String args, int warnings) {
    assertThat(PlaintextWarnings.of(TestService.config(args.split(" "))))
        .hasSize(warnings)
        .allSatisfy(line -> assertThat(line).contains("TLS").doesNotContain("p@"));
  }
}
