package dev.latchkey.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiKeysTest {

  private static final String OLD = "0123456789abcdef";
  private static final String NEW = "fedcba9876543210";

  @TempDir Path directory;

  @Test
  void secretHasAtLeast16Characters() {
    assertThat(ApiKeys.parse("acme:" + OLD).tenantOf(OLD)).hasValue("acme");
    assertThatThrownBy(() -> ApiKeys.parse("acme:" + OLD.substring(1)))
        .hasMessageContaining("entry 1")
        .hasMessageContaining("16")
        .message()
        .doesNotContain(OLD.substring(1));
  }

  @Test
  void fileIsReloadedUnlessItIsInvalid() throws Exception {
    Path file = Files.writeString(directory.resolve("keys"), "acme:" + OLD + "\n");
    ApiKeys keys = ApiKeys.parse("@" + file);
    Files.writeString(file, " acme:" + OLD + " ,\r\n acme:" + NEW + "\n\n");
    keys.reload();
    assertThat(keys.tenantOf(OLD)).hasValue("acme");
    assertThat(keys.tenantOf(NEW)).hasValue("acme");

    Files.writeString(file, "acme:short");
    assertThatThrownBy(keys::reload).isInstanceOf(IllegalArgumentException.class);
    assertThat(keys.tenantOf(NEW)).hasValue("acme");

    Files.writeString(file, "acme:" + NEW);
    keys.reload();
    assertThat(keys.tenantOf(OLD)).isEmpty();
  }
}
