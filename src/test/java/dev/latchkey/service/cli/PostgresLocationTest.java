package dev.latchkey.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PostgresLocationTest {

  @TempDir Path directory;

  @Test
  void takesEveryPart() throws Exception {
    PgConnectOptions options =
        PostgresLocation.parse("postgresql://jo:s3cret@db.example:6543/pay?sslmode=require")
            .connectOptions();
    assertThat(options.getHost()).isEqualTo("db.example");
    assertThat(options.getPort()).isEqualTo(6543);
    assertThat(options.getUser()).isEqualTo("jo");
    assertThat(options.getPassword()).isEqualTo("s3cret");
    assertThat(options.getDatabase()).isEqualTo("pay");
    assertThat(options.getSslMode()).isEqualTo(SslMode.REQUIRE);
  }

  @Test
  void defaultsMayBeOmitted() throws Exception {
    PgConnectOptions options = PostgresLocation.parse("postgres://jo@[::1]/pay").connectOptions();
    assertThat(options.getHost()).isEqualTo("::1");
    assertThat(options.getPort()).isEqualTo(5432);
    assertThat(options.getPassword()).isEmpty();
    assertThat(options.getSslMode()).isEqualTo(SslMode.DISABLE);
  }

  @Test
  void decodesPercentSigns() throws Exception {
    PgConnectOptions options =
        PostgresLocation.parse("postgresql://j%40o:p%3Aw%2F%C3%A9+%25@h/p%20ay").connectOptions();
    assertThat(options.getUser()).isEqualTo("j@o");
    assertThat(options.getPassword()).isEqualTo("p:w/é+%");
    assertThat(options.getDatabase()).isEqualTo("p ay");
  }

  @ParameterizedTest
  @EnumSource(
      value = SslMode.class,
      names = {"DISABLE", "ALLOW", "PREFER", "REQUIRE"})
  void takesTheModesThatVerifyNothing(SslMode mode) throws Exception {
    PostgresLocation location = PostgresLocation.parse("postgresql://u@h/d?sslmode=" + mode.value);
    assertThat(location.connectOptions().getSslMode()).isEqualTo(mode);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | begin with postgresql://",
        "mysql://u:s3cret@h/d | begin with postgresql://",
        "u:s3cret@h/d | begin with postgresql://",
        "jdbc:postgresql://u:s3cret@h/d | begin with postgresql://",
        "POSTGRESQL://u:s3cret@h/d | begin with postgresql://",
        "postgresql:// | no host",
        "postgresql:///d | no host",
        "postgresql://u:s3cret@/d | no host",
        "postgresql://u:s3cret@:5432/d | no host",
        "postgresql://u:s3cret@h1,h2/d | no host",
        "postgresql://u:s3cret@-h/d | no host",
        "postgresql://u:s3cret@[::1/d | no host",
        "postgresql://u:s3cret@::1/d | no host",
        "postgresql://h/d | no user",
        "postgresql://:s3cret@h/d | no user",
        "postgresql://u:s3cret@h | no database",
        "postgresql://u:s3cret@h/ | no database",
        "postgresql://u:s3cret@h/d/e | too many /",
        "postgresql://u:s3cret@h:/d | port",
        "postgresql://u:s3cret@h:0/d | port",
        "postgresql://u:s3cret@h:65536/d | port",
        "postgresql://u:s3cret@h:-1/d | port",
        "postgresql://u:s3cret@h:x/d | port",
        "postgresql://u:s3cret | port",
        "postgresql://u:s3cret@h/d#x | #",
        "postgresql://u:s3/cret@h/d | percent-encoded",
        "postgresql://u:s3?cret@h/d | percent-encoded",
        "postgresql://u:s3@cret@h/d | percent-encoded",
        "postgresql://u:s3#cret@h/d | percent-encoded",
        "postgresql://u:s3%cret@h/d | hexadecimal",
        "postgresql://u:s3cret%@h/d | hexadecimal",
        "postgresql://u:s3cret%ff@h/d | UTF-8",
        "postgresql://u:s3cret%00@h/d | zero byte",
        "postgresql://u:s3cret@h/d d | space",
        "postgresql://u:s3cret@h/d? | unknown parameter ''",
        "postgresql://u@h/d?password=s3cret | unknown parameter 'password'",
        "postgresql://u:s3cret@h/d?sslmode=on | 'on' is not one of: disable, allow, prefer",
        "postgresql://u:s3cret@h/d?sslmode | 'sslmode' has no value",
        "postgresql://u:s3cret@h/d?sslmode= | 'sslmode' has no value",
        "postgresql://u:s3cret@h/d?sslmode=allow&sslmode=allow | 'sslmode' occurs twice",
        "postgresql://u:s3cret@h/d?sslmode=verify-ca | 'verify-ca' needs sslrootcert",
        "postgresql://u:s3cret@h/d?sslmode=verify-full | 'verify-full' needs sslrootcert",
        "postgresql://u:s3cret@h/d?sslrootcert=/x | 'disable' would ignore sslrootcert",
        "postgresql://u:s3cret@h/d?sslmode=require&sslrootcert=/no/file | '/no/file' cannot be read"
      })
  void refusesAndShowsNoSecret(String uri, String told) {
    assertThatThrownBy(() -> PostgresLocation.parse(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told)
        .message()
        .doesNotContain("s3", "cret", "\n");
  }

  @Test
  void refusesAFileWithoutCertificates() throws Exception {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    Path text = Files.writeString(directory.resolve("text.pem"), "certificates, honestly");
    String uri = "postgresql://u@h/d?sslmode=verify-full&sslrootcert=";
    for (Path file : new Path[] {empty, text}) {
      assertThatThrownBy(() -> PostgresLocation.parse(uri + file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void textHasNoSecret() throws Exception {
    PostgresLocation location = PostgresLocation.parse("postgresql://jo:s3cret@h:1/d");
    assertThat(location).hasToString("postgresql://h:1/d");
    assertThat(location.uri()).hasToString("postgresql://h:1/d");
  }
}
