package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.testing.servers.TestCertificate;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TlsTest {

  @TempDir Path directory;

  private TestCertificate certificate(String name) throws Exception {
    return TestCertificate.create(Files.createDirectories(directory.resolve(name)), "ip:127.0.0.1");
  }

  private static TestService serve(TestCertificate certificate) {
    return new TestService(
        ConnectionLimits.DEFAULT,
        router -> router.get("/v1/version").handler(ctx -> ctx.end(ctx.request().version().name())),
        "--tls-cert",
        certificate.certificateFile().toString(),
        "--tls-key",
        certificate.keyFile().toString());
  }

  private static String get(TestService service, TestCertificate trusted, HttpVersion version) {
    HttpClient client =
        service.vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setProtocolVersion(version)
                .setTrustOptions(
                    new PemTrustOptions().addCertValue(Buffer.buffer(trusted.certificatePem()))));
    return await(
        client
            .request(HttpMethod.GET, service.server.port(), "127.0.0.1", "/v1/version")
            .compose(request -> request.send())
            .compose(response -> response.body())
            .map(Buffer::toString)
            .eventually(client::close));
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void servesHttpsWithTheNegotiatedVersion(HttpVersion version) throws Exception {
    TestCertificate certificate = certificate("a");
    try (TestService service = serve(certificate)) {
      assertThat(get(service, certificate, version)).isEqualTo(version.name());
      assertThat(service.server.readyLine()).startsWith("latchkey ready on https://127.0.0.1:");
    }
  }

  @Test
  void reloadsTheCertificateOnceBothFilesMatch() throws Exception {
    TestCertificate first = certificate("a");
    String firstPem = first.certificatePem();
    TestCertificate next = certificate("b");
    try (TestService service = serve(first)) {
      Files.writeString(first.certificateFile(), next.certificatePem());
      await(service.server.reload());
      assertThat(get(service, first, HttpVersion.HTTP_1_1)).isEqualTo("HTTP_1_1");

      Files.writeString(first.keyFile(), next.keyPem());
      await(service.server.reload());
      assertThat(get(service, next, HttpVersion.HTTP_2)).isEqualTo("HTTP_2");
      assertThatThrownBy(() -> get(service, first, HttpVersion.HTTP_1_1))
          .hasStackTraceContaining("SSLHandshakeException");

      Files.writeString(first.certificateFile(), "unreadable");
      await(service.server.reload());
      assertThat(get(service, next, HttpVersion.HTTP_1_1)).isEqualTo("HTTP_1_1");
    }
    assertThat(firstPem).isNotEqualTo(next.certificatePem());
  }

  @Test
  void keyOfAnotherCertificateFailsTheStart() throws Exception {
    TestCertificate first = certificate("a");
    Files.writeString(first.keyFile(), certificate("b").keyPem());
    assertThatThrownBy(() -> serve(first))
        .hasStackTraceContaining("are not a certificate and its key");
  }
}
