package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Service and migrations connect with TLS and SCRAM, and only to a trusted server. */
class PostgresTlsIT {

  @TempDir static Path directory;
  private static TestCertificate certificate;
  private static TestCertificate untrusted;
  private static PostgresServer server;
  private static Database database;

  @BeforeAll
  static void start() throws IOException {
    Path own = Files.createDirectory(directory.resolve("own"));
    Path other = Files.createDirectory(directory.resolve("other"));
    certificate = TestCertificate.create(own, "ip:127.0.0.1");
    untrusted = TestCertificate.create(other, "ip:127.0.0.1");
    server = RealServers.startPostgres(certificate);
    database = server.freshDatabase();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private static LatchkeyProcess run(String parameters, String... args) {
    return LatchkeyProcess.start(
        Map.of("LATCHKEY_POSTGRES_URI", database.uri() + parameters), args);
  }

  private static String verifying(String mode, TestCertificate trusted) {
    return "?sslmode=" + mode + "&sslrootcert=" + trusted.certificateFile();
  }

  private static LatchkeyProcess serve(String parameters, String... more) {
    List<String> args = new ArrayList<>(List.of("serve", "--port", "0", "--store", "postgres"));
    args.addAll(List.of(more));
    return run(parameters, args.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify-full", "verify-ca", "require"})
  void allConnectionsToATrustedServerUseTls(String mode) {
    try (LatchkeyProcess node = serve(verifying(mode, certificate))) {
      String key = "tls_" + mode;
      PaymentClient.payUntilPaid(node.url(), key, PaymentClient.VISA);
      String connections =
          "SELECT count(*) FILTER (WHERE ssl) || ' of ' || count(*) FROM pg_stat_ssl s"
              + " JOIN pg_stat_activity a USING (pid)"
              + " WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()";
      assertThat(database.value(connections)).matches("([1-9]\\d*) of \\1");
    }
  }

  @Test
  void passwordUsesScram() {
    String scram = "SELECT rolpassword LIKE 'SCRAM-SHA-256$%' FROM pg_authid WHERE rolname = '";
    assertThat(database.value(scram + database.user() + "'")).isEqualTo("t");
    String rules = "SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules";
    assertThat(database.value(rules)).isEqualTo("scram-sha-256");
    Database wrong =
        new Database(
            database.host(), database.port(), database.name(), database.user(), "no-such-secret");
    try (LatchkeyProcess migrate =
        LatchkeyProcess.start(
            Map.of("LATCHKEY_POSTGRES_URI", wrong.uri()), "migrate", "--store", "postgres")) {
      assertThat(migrate.exitCode()).isEqualTo(1);
      assertThat(migrate.err()).singleElement().asString().contains("password");
      assertThat(migrate.err().toString()).doesNotContain("no-such-secret");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify-full", "verify-ca"})
  void migrationsUseTlsAndRejectAnUntrustedCertificate(String mode) {
    try (LatchkeyProcess migrate = run(verifying(mode, certificate), "migrate")) {
      assertThat(migrate.exitCode()).as("%s", migrate.err()).isZero();
    }
    try (LatchkeyProcess migrate = run(verifying(mode, untrusted), "migrate")) {
      assertThat(migrate.exitCode()).isEqualTo(1);
      assertThat(migrate.err()).singleElement().asString().contains("PKIX").doesNotContain("---");
    }
    try (LatchkeyProcess node = serve(verifying(mode, untrusted))) {
      assertThat(node.exitCode()).isEqualTo(1);
      assertThat(node.err())
          .filteredOn(line -> !line.contains("--psp-url"))
          .singleElement()
          .asString()
          .contains("PKIX");
    }
  }

  @Test
  void driverRejectsAnUntrustedCertificate() {
    try (LatchkeyProcess node = serve(verifying("verify-full", untrusted), "--no-migrate")) {
      assertThat(PaymentClient.isReady(node.url())).isFalse();
      var refused = await(PaymentClient.pay(node.url(), "tls", PaymentClient.VISA));
      assertThat(refused.statusCode()).isEqualTo(503);
      String lost = "Postgres at " + database.host() + ":" + database.port() + " is lost";
      Await.until(
          "the outage is logged", () -> node.err().stream().anyMatch(it -> it.contains(lost)));
      assertThat(node.err()).filteredOn(line -> line.contains(lost)).hasSize(1);
      assertThat(node.err()).allMatch(line -> line.contains(" WARN "));
    }
  }

  @Test
  void verifyFullChecksTheHostName() throws IOException {
    Path names = Files.createDirectory(directory.resolve("named"));
    TestCertificate named = TestCertificate.create(names, "dns:somewhere.else");
    try (PostgresServer elsewhere = RealServers.startPostgres(named)) {
      Database there = elsewhere.freshDatabase();
      for (String mode : new String[] {"verify-ca", "verify-full"}) {
        String uri = there.uri() + verifying(mode, named);
        Map<String, String> environment = Map.of("LATCHKEY_POSTGRES_URI", uri);
        boolean trusted = mode.equals("verify-ca");
        try (LatchkeyProcess migrate = LatchkeyProcess.start(environment, "migrate")) {
          assertThat(migrate.exitCode()).as(mode).isEqualTo(trusted ? 0 : 1);
          assertThat(migrate.err()).as(mode).hasSize(1);
        }
        try (LatchkeyProcess node =
            LatchkeyProcess.start(
                environment, "serve", "--port", "0", "--store", "postgres", "--no-migrate")) {
          if (trusted) {
            Await.until("the node is ready", () -> PaymentClient.isReady(node.url()));
          } else {
            assertThat(PaymentClient.isReady(node.url())).isFalse();
          }
        }
      }
    }
  }
}
