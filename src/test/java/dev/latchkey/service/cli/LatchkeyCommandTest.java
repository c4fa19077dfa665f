package dev.latchkey.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.LoadCommand;
import dev.latchkey.testing.LogRecorder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class LatchkeyCommandTest {

  @TempDir Path directory;

  private final RecordedActions actions = new RecordedActions();
  private final List<ServeConfig> served = actions.served;
  private final List<PostgresLocation> migrated = actions.migrated;
  private final List<PspOptions> simulated = actions.simulated;

  private record Run(int code, String out, String err) {}

  private Run run(Map<String, String> environment, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        command(environment).execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Run(code, out.toString(), err.toString());
  }

  private LatchkeyCommand command(Map<String, String> environment) {
    return new LatchkeyCommand(environment, actions, Map.of("load", LoadCommand::new));
  }

  private String file(String yaml) throws Exception {
    return Files.writeString(directory.resolve("latchkey.yaml"), yaml).toString();
  }

  @Test
  void servesWithTheDefaults() {
    assertThat(run(Map.of()).code()).isZero();
    ServeConfig config = served.get(0);
    assertThat(config.options().host()).isEqualTo("127.0.0.1");
    assertThat(config.options().port()).isEqualTo(8080);
    assertThat(config.stores().store().label()).isEqualTo("memory");
    assertThat(config.stores().ledger().label()).isEqualTo("memory");
    assertThat(config.options().pspUrl()).isEmpty();
    assertThat(config.options().pspTimeout()).isEqualTo(Duration.ofSeconds(65));
    assertThat(config.apiKeys()).isEmpty();
    assertThat(config.options().lease()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.options().runLimit()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.options().defaultWait()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.options().waitMax()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.options().retention()).isEqualTo(Duration.ofHours(24));
    assertThat(config.options().maxBodyBytes()).isEqualTo(1 << 20);
    assertThat(config.options().maxResponseBytes()).isEqualTo(1 << 20);
    assertThat(config.options().maxParked()).isEqualTo(20_000);
    assertThat(config.options().maxParkedPerTenant()).isEqualTo(15_000);
    assertThat(config.options().maxParkedPerKey()).isEqualTo(10_000);
    assertThat(config.options().maxRunning()).isEqualTo(10_000);
    assertThat(config.options().replayCacheBytes()).isEqualTo(32L << 20);
    assertThat(config.instances()).isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void flagOverridesEnvironmentOverridesFile() throws Exception {
    String config = file("port: 1\nlease: 1s\nwait: 1s\npsp-secret: 0123\n");
    Map<String, String> environment =
        Map.of("LATCHKEY_HTTP_PORT", "2", "LATCHKEY_LEASE", "2s", "LATCHKEY_CONFIG", config);
    assertThat(run(environment, "--port", "3").err()).isEmpty();
    assertThat(served.get(0).options().port()).isEqualTo(3);
    assertThat(served.get(0).options().lease()).isEqualTo(Duration.ofSeconds(2));
    assertThat(served.get(0).options().defaultWait()).isEqualTo(Duration.ofSeconds(1));
    assertThat(served.get(0).options().pspSecret()).hasValue("0123");
  }

  @Test
  void flagOverridesAnInvalidVariable() {
    assertThat(run(Map.of("LATCHKEY_HTTP_PORT", "x"), "--port", "3").code()).isZero();
  }

  @Test
  void secretsAreTakenAsTheyAre() {
    String odd = "${HOME}$x'\"\\ @y";
    assertThat(run(Map.of("LATCHKEY_PSP_SECRET", odd)).code()).isZero();
    assertThat(served.get(0).options().pspSecret()).hasValue(odd);
    assertThat(served.get(0).toString()).doesNotContain(odd);
  }

  @Test
  void otherHostNeedsApiKeysOrAnExplicitFlag() throws Exception {
    Path keys =
        Files.writeString(
            directory.resolve("keys"),
            " acme:0123456789abcdea\nglobex:0123456789abcdeb ,\r\nacme:0123456789abcdec\n");
    assertThat(run(Map.of(), "--host", "0.0.0.0").code()).isEqualTo(2);
    assertThat(run(Map.of(), "--host", "0.0.0.0", "--insecure-no-auth").code()).isZero();
    assertThat(run(Map.of("LATCHKEY_API_KEYS", "@" + keys), "--host", "0.0.0.0").code()).isZero();
    assertThat(served.get(1).apiKeys().orElseThrow().tenantOf("0123456789abcdec")).hasValue("acme");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--port 70000 | '--port' | 65535",
        "--port -1 | '--port' | 65535",
        "--port x | '--port' | 65535",
        "--lease 0s | '--lease' | 1ms",
        "--lease 10 | '--lease' | 10s",
        "--retention 5s | '--retention' | lease",
        "--tls-cert a.pem | '--tls-cert' | --tls-key",
        "--tls-key a.pem | '--tls-key' | --tls-cert",
        "--log-format xml | '--log-format' | json",
        "--retention 401d | '--retention' | 400d",
        "--max-body -1 | '--max-body' | positive",
        "--max-body 0 | '--max-body' | positive",
        "--max-body 2GiB | '--max-body' | 2GiB",
        "--replay-cache -1 | '--replay-cache' | size",
        "--max-parked 0 | '--max-parked' | 1 to",
        "--instances 0 | '--instances' | 1024",
        "--instances 1025 | '--instances' | 1024",
        "--store postgres | '--store' | postgres",
        "--store redis | '--store' | redis",
        "--ledger postgres | '--ledger' | postgres",
        "--psp-url ftp://x | '--psp-url' | http://",
        "--psp-url http://h:99999 | '--psp-url' | http://",
        "--psp-url http://u:p@h | '--psp-url' | plain",
        "psp --data= | '--data' | directory",
        "--host 0.0.0.0 | '--host' | others",
        "--prot 1 | '--prot' | Unknown",
        "--port | '--port' | Missing",
        "--port 1 --port 2 | '--port' | once",
        "--config /nowhere.yaml | /nowhere.yaml | no such file",
        "migrate | '--postgres-uri=<uri>' | Missing",
        "migrate --port 70000 | '--port' | 65535",
        "psp --postgres-uri postgresql://u:s3cret@h/d | '--postgres-uri' | Unknown",
        "--store oracle | '--store' | postgres",
        "--ledger redis | '--ledger' | redis",
        "--ledger oracle | '--ledger' | postgres",
        "--postgres-uri mysql://u:s3cret@h/d | '--postgres-uri' | postgresql://",
        "--postgres-uri postgresql://u:s3cret@h | '--postgres-uri' | database",
        "--redis-uri http://u:s3cret@h/0 | '--redis-uri' | redis://",
        "--no-migrate=perhaps | '--no-migrate' | boolean",
        "psp --port 70000 | '--port' | 65535",
        "psp --store memory | '--store' | Unknown"
      })
  void refusesInOneLineThatNamesTheOption(String args, String option, String told) {
    assertRefused(run(Map.of(), args.split(" ")), option, told);
  }

  @Test
  void rejectionsNameTheOriginOfTheValue() throws Exception {
    assertRefused(run(Map.of("LATCHKEY_LEASE", "x")), "'--lease'", "variable LATCHKEY_LEASE");
    assertRefused(
        run(Map.of("LATCHKEY_PSP_SECRET", "")), "'--psp-secret'", "variable LATCHKEY_PSP_SECRET");
    assertRefused(
        run(Map.of(), "--config", file("port: 70000")), "'--port'", "key 'port' of the config");
    assertRefused(run(Map.of(), "--config", file("store: redis")), "'--store'", "key 'store'");
  }

  @Test
  void refusesAFileWithASecondDocument() throws Exception {
    String two = file("wait: 5s\n---\nlease: 1s\n");
    assertRefused(run(Map.of(), "--config", two), "single", "latchkey.yaml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "prot: 1 | 'prot'",
        "help: true | 'help'",
        "config: x | 'config'",
        "port: [1] | 'port'",
        "port: | 'port'",
        "just a text | map",
        "'{port: 1' | YAML"
      })
  void refusesAFileThatIsNotFlatOptions(String yaml, String told) throws Exception {
    assertRefused(run(Map.of(), "--config", file(yaml)), told, "latchkey.yaml");
  }

  @Test
  void rejectionsOfApiKeysShowNoSecret() {
    for (String keys :
        new String[] {
          "s3cret",
          "acme:",
          ":s3cret",
          "a:s3cret-15-chars",
          "a:s3cret-with-16-chars,b:s3cret-with-16-chars",
          ","
        }) {
      Run refused = run(Map.of(), "--api-keys", keys);
      assertRefused(refused, "'--api-keys'", "Invalid");
      assertThat(refused.err()).doesNotContain("s3cret");
    }
  }

  @Test
  void helpShowsEveryOptionWithVariableAndDefault() {
    Run help = run(Map.of("LATCHKEY_HTTP_PORT", "70000"), "--help");
    assertThat(help.code()).isZero();
    assertThat(help.out().replaceAll("\\s+", " ")).contains("default: 8080", "serve, migrate, psp");
    for (String name : new String[] {"serve", "migrate", "psp"}) {
      CommandLine command = command(Map.of()).commandLine(name, true);
      for (OptionSpec option : command.getCommandSpec().options()) {
        if (!option.usageHelp()) {
          assertThat(String.join(" ", option.description()))
              .contains(SettingSources.variableOf(option.longestName()), "default: ");
        }
      }
    }
  }

  @Test
  void variablesOfOtherCommandsAreKnown() {
    try (LogRecorder log = new LogRecorder()) {
      run(Map.of("LATCHKEY_EVENTS_URL", "http://127.0.0.1:1/e"), "serve");
      run(Map.of("LATCHKEY_JAR", "target/latchkey.jar"), "serve");
      assertThat(log.lines()).isEmpty();
      run(Map.of("LATCHKEY_EVENT_URL", "x", "LATCHKEY_DATA", "y"), "serve");
      assertThat(log.lines()).singleElement().asString().endsWith(": [LATCHKEY_EVENT_URL]");
    }
  }

  @Test
  void migrateTakesTheOptionsOfServe() throws Exception {
    String config = file("lease: 2s\npostgres-uri: postgresql://u:s3cret@db:6543/pay\n");
    assertThat(run(Map.of("LATCHKEY_WAIT", "5s"), "migrate", "--config", config).code()).isZero();
    assertThat(migrated).hasSize(1);
    assertThat(migrated.get(0)).hasToString("postgresql://db:6543/pay");
    assertThat(migrated.get(0).connectOptions().getPassword()).isEqualTo("s3cret");
    assertThat(served).isEmpty();
  }

  @Test
  void migrateAcceptsAnyHost() {
    Map<String, String> image =
        Map.of("LATCHKEY_HTTP_HOST", "0.0.0.0", "LATCHKEY_POSTGRES_URI", "postgresql://u:p@db/pay");
    assertThat(run(image, "migrate").code()).isZero();
    assertThat(migrated).hasSize(1);
    assertThat(run(image, "serve").err()).contains("--host");
  }

  @Test
  void rejectionsNeverShowAPassword() {
    String uri = "postgresql://u:s3cret@h/d";
    assertRefused(run(Map.of(), "serve", uri), "Unexpected argument");
    assertRefused(run(Map.of(), "--postgres-url=" + uri), "--postgres-url", "Unknown");
    assertRefused(run(Map.of(), "--store", uri), "'--store'", "postgres");
    assertRefused(run(Map.of("LATCHKEY_REDIS_URI", uri)), "variable LATCHKEY_REDIS_URI");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--api-keys a:s3cretsecretsecret, b:s3cretsecretsecret",
        "--api-keys a:x, -b:s3cret",
        "--api-keys a:x, --b:s3cret=x",
        "--port s3cret",
        "--lease s3cret",
        "--max-running s3cret",
        "--psp-url s3cret",
        "--store s3cret",
        "--no-migrate=s3cret",
        "--psp-secret @s3cret",
        "--postgres-uri @s3cret",
        "s3cret --port 1",
        "load --keys s3cret",
        "psp s3cret"
      })
  void rejectionsNeverShowAnArgument(String args) {
    assertRefused(run(Map.of(), args.split(" ")), "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n"})
  void secretsMayBeInAFile(String lineBreak) throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "line\nwhsec_x" + lineBreak);
    Path uri = Files.writeString(directory.resolve("uri"), "postgresql://u:s3cret@h/d" + lineBreak);
    Path redis = Files.writeString(directory.resolve("redis"), "redis://:s3cret@h/0" + lineBreak);
    Map<String, String> environment =
        Map.of("LATCHKEY_PSP_SECRET", "@" + secret, "LATCHKEY_POSTGRES_URI", "@" + uri);

    assertThat(run(environment, "--redis-uri", "@" + redis).err()).isEmpty();

    assertThat(served.get(0).options().pspSecret()).hasValue("line\nwhsec_x");
    StoreConfig stores = served.get(0).stores();
    assertThat(stores.postgres().orElseThrow().connectOptions().getPassword()).isEqualTo("s3cret");
    assertThat(stores.redis().orElseThrow().redisOptions().getEndpoints())
        .containsExactly("redis://:s3cret@h:6379/0");
  }

  @Test
  void helpNeverShowsAPassword() {
    Map<String, String> environment =
        Map.of(
            "LATCHKEY_POSTGRES_URI", "postgresql://u:s3cret@h/d",
            "LATCHKEY_REDIS_URI", "redis://:s3cret@h/0");
    for (String command : new String[] {"serve", "migrate"}) {
      assertThat(run(environment, command, "--help").out()).doesNotContain("s3cret");
    }
    assertThat(run(environment).code()).isZero();
    assertThat(served.get(0).toString()).doesNotContain("s3cret");
    assertThat(served.get(0).stores().toString()).doesNotContain("s3cret");
  }

  @Test
  void pspHasItsOwnOptions() throws Exception {
    assertThat(
            run(
                    Map.of("LATCHKEY_EVENTS_URL", "http://127.0.0.1:1/e"),
                    "psp",
                    "--data",
                    directory.toString())
                .code())
        .isZero();
    PspOptions config = simulated.get(0);
    assertThat(config.port()).isEqualTo(8090);
    assertThat(config.data()).hasValue(directory);
    assertThat(config.eventsUrl()).isPresent();
    assertThat(config.secret()).isEmpty();
  }

  private void assertRefused(Run run, String... told) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains(told);
    assertThat(run.err()).doesNotContain("s3cret");
    assertThat(served).isEmpty();
    assertThat(migrated).isEmpty();
  }
}
