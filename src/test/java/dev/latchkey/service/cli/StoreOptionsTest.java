package dev.latchkey.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

class StoreOptionsTest {

  private static final String POSTGRES = "--postgres-uri=postgresql://u:s3cret@h/d";
  private static final String REDIS = "--redis-uri=redis://:s3cret@h/0";

  private static StoreConfig parse(String... args) {
    CommandSpec spec = CommandSpec.create();
    StoreOptions options = ServiceCommands.add(spec, StoreOptions.class);
    new CommandLine(spec).parseArgs(args);
    return StoreConfig.of(options, spec);
  }

  private static String[] words(String line) {
    return line.replace("POSTGRES", POSTGRES).replace("REDIS", REDIS).split(" ");
  }

  @ParameterizedTest
  @CsvSource({
    "--store memory, MEMORY, MEMORY, false",
    "--store memory --ledger memory, MEMORY, MEMORY, false",
    "--store memory POSTGRES REDIS, MEMORY, MEMORY, false",
    "--store postgres POSTGRES, POSTGRES, POSTGRES, true",
    "--store postgres --ledger postgres POSTGRES, POSTGRES, POSTGRES, true",
    "--store redis REDIS, REDIS, REDIS, true",
    "--store redis --ledger redis REDIS, REDIS, REDIS, true",
    "--store redis --ledger postgres REDIS POSTGRES, REDIS, POSTGRES, true"
  })
  void acceptsSupportedCombinations(
      String args, StoreKind store, StoreKind ledger, boolean shared) {
    StoreConfig config = parse(words(args));
    assertThat(config.store()).isEqualTo(store);
    assertThat(config.ledger()).isEqualTo(ledger);
    assertThat(config.isShared()).isEqualTo(shared);
    assertThat(config.migrateFirst()).isTrue();
    assertThat(config.toString()).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--store memory --ledger postgres POSTGRES | '--ledger': 'postgres' does not go with",
        "--store memory --ledger redis REDIS | '--ledger': 'redis' does not go with",
        "--store postgres --ledger memory POSTGRES | '--ledger': 'memory' does not go with",
        "--store postgres --ledger redis POSTGRES REDIS | '--ledger': 'redis' does not go with",
        "--store redis --ledger memory REDIS | '--ledger': 'memory' does not go with",
        "--store postgres | '--store': 'postgres' needs --postgres-uri",
        "--store redis | '--store': 'redis' needs --redis-uri",
        "--store redis --ledger postgres REDIS | '--ledger': 'postgres' needs --postgres-uri",
        "--store redis --ledger postgres POSTGRES | '--store': 'redis' needs --redis-uri"
      })
  void rejectsOtherCombinations(String args, String told) {
    assertThatThrownBy(() -> parse(words(args)))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining(told)
        .message()
        .doesNotContain("s3cret");
  }

  @Test
  void connectionsToPostgresAreLimitedAndListenElsewhere() {
    StoreConfig config = parse(words("--store postgres POSTGRES"));
    assertThat(config.postgresConnections()).isEqualTo(40);
    assertThat(config.listen()).isEmpty();

    StoreConfig given =
        parse(
            words(
                "--store postgres POSTGRES --postgres-connections 5"
                    + " --postgres-listen-uri=postgresql://u:s3cret@other/d"));
    assertThat(given.postgresConnections()).isEqualTo(5);
    assertThat(given.listen().orElseThrow().connectOptions().getHost()).isEqualTo("other");
    assertThatThrownBy(() -> parse("--postgres-connections", "4"))
        .hasMessageContaining("5 to 2147483647");
  }

  @Test
  void noMigrateLeavesTheSchemaAlone() {
    assertThat(parse(words("--store postgres --no-migrate POSTGRES")).migrateFirst()).isFalse();
  }
}
