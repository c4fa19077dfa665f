package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A released migration never changes: add a new one, and its checksum here. */
class MigrationFilesTest {

  private static final Path RESOURCES = Path.of("src/main/resources");

  private static final Map<String, String> SHA_256 =
      Map.of(
          "dev/latchkey/store/postgres/migration/V1__keys.sql",
          "94e0319e1f89310f2ea8ccb036ff350efdf90bb7808d5ba1a37e46a05d6dcf63",
          "dev/latchkey/ledger/postgres/migration/V1__ledger.sql",
          "6f1c456bad857e4e83a95df0b10d3b7bda1f53ade5d0db6fe468b885031947d6");

  @Test
  void everyMigrationIsAsItWasReleased() throws IOException, NoSuchAlgorithmException {
    Map<String, String> actual = new TreeMap<>();
    try (Stream<Path> files = Files.walk(RESOURCES)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".sql")).toList()) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        actual.put(RESOURCES.relativize(file).toString(), HexFormat.of().formatHex(digest));
      }
    }

    assertThat(actual).containsExactlyInAnyOrderEntriesOf(SHA_256);
  }

  @Test
  void printedScriptHoldsEveryMigration() throws IOException {
    for (String file : SHA_256.keySet()) {
      assertThat(DatabaseSchemas.ddl()).contains(Files.readString(RESOURCES.resolve(file)));
    }
  }
}
