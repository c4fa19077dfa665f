package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.latchkey.service.cli.LatchkeyCommand;
import dev.latchkey.service.cli.RecordedActions;
import dev.latchkey.service.cli.SettingSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the files for Docker say to the jar has to be something that it understands. */
class ComposeFileTest {

  private static final Path DEPLOY = Path.of("deploy");
  private static final Pattern VARIABLE = Pattern.compile("LATCHKEY_[A-Z_]+");

  private static JsonNode compose;

  @BeforeAll
  static void read() throws IOException {
    compose = new YAMLMapper().readTree(DEPLOY.resolve("compose.yaml").toFile());
  }

  private static final List<String> COMMANDS = List.of("serve", "migrate", "psp", "load");

  private static CommandLine commandLine(String name) {
    return new LatchkeyCommand(Map.of(), new RecordedActions(), Wiring.otherCommands())
        .commandLine(name, true);
  }

  private static Set<String> variablesOf(String command) {
    Set<String> variables = new TreeSet<>();
    commandLine(command)
        .getCommandSpec()
        .options()
        .forEach(option -> variables.add(SettingSources.variableOf(option.longestName())));
    return variables;
  }

  private static JsonNode service(String name) {
    JsonNode service = compose.get("services").get(name);
    // Jackson reads a merge key as a member like any other.
    return service.has("<<") ? compose.get("x-node") : service;
  }

  private static List<String> command(String service) {
    return StreamSupport.stream(service(service).get("command").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void everyVariableBelongsToItsCommand() {
    for (String service : new String[] {"node-one", "node-two", "migrate", "psp"}) {
      Set<String> unknown = new TreeSet<>();
      service(service).get("environment").fieldNames().forEachRemaining(unknown::add);
      assertThat(unknown).as(service).isNotEmpty();
      unknown.removeAll(variablesOf(command(service).get(0)));
      assertThat(unknown).as(service).isEmpty();
    }
  }

  @Test
  void everyFlagBelongsToItsCommand() {
    for (String service : new String[] {"node-one", "node-two", "migrate", "psp"}) {
      List<String> words = command(service);
      CommandLine command = commandLine(words.get(0));
      assertThat(words)
          .filteredOn(word -> word.startsWith("-"))
          .allSatisfy(
              flag -> assertThat(command.getCommandSpec().findOption(flag)).as(flag).isNotNull());
    }
  }

  @Test
  void otherFilesNameExistingVariables() throws IOException {
    Set<String> known = new TreeSet<>();
    COMMANDS.forEach(command -> known.addAll(variablesOf(command)));
    // Not an option: where the scripts find the jar.
    known.add("LATCHKEY_JAR");
    try (var files = Files.walk(DEPLOY)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Matcher matcher = VARIABLE.matcher(Files.readString(file));
        while (matcher.find()) {
          assertThat(known).as(file.toString()).contains(matcher.group());
        }
      }
    }
  }

  @Test
  void theProxyNamesTheServices() throws IOException {
    Matcher server =
        Pattern.compile("(?m)^ *server \\w+ ([a-z-]+):8080$")
            .matcher(Files.readString(DEPLOY.resolve("haproxy.cfg")));
    Set<String> named = new TreeSet<>();
    while (server.find()) {
      named.add(server.group(1));
    }
    assertThat(named).containsExactly("node-one", "node-two");
    named.forEach(name -> assertThat(compose.get("services").has(name)).as(name).isTrue());
  }

  @Test
  void stopGracePeriodExceedsTheDrain() {
    // The proxy is stopped before the nodes: what they still owe goes through it.
    for (String service : new String[] {"node-one", "node-two", "haproxy"}) {
      String grace = service(service).path("stop_grace_period").asText();
      assertThat(grace).as(service).matches("[0-9]+s");
      assertThat(Long.parseLong(grace.replace("s", "")) * 1_000)
          .as(service)
          .isGreaterThan(Processes.maxEndMillis(TestService.config()));
    }
  }

  @Test
  void portsAreBoundToLoopback() {
    for (JsonNode service : compose.get("services")) {
      for (JsonNode port : service.path("ports")) {
        assertThat(port.asText()).startsWith("127.0.0.1:");
      }
    }
  }

  private static List<String> networks(String service) {
    return StreamSupport.stream(service(service).get("networks").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void storesAreReachedByNodesOnly() {
    for (String store : new String[] {"postgres", "redis"}) {
      assertThat(networks(store)).as(store).containsExactly("data");
    }
    assertThat(compose.get("networks").get("data").get("internal").asBoolean()).isTrue();
    assertThat(networks("haproxy")).doesNotContain("data", "psp");
    assertThat(networks("psp")).doesNotContain("data", "front");
  }

  @Test
  void nodesHaveNoRightsOnTheSchema() {
    assertThat(command("node-one")).contains("--no-migrate");
    assertThat(service("node-one").get("environment").get("LATCHKEY_POSTGRES_URI").asText())
        .startsWith("postgresql://latchkey_service:");
  }

  @Test
  void proxyTerminatesTlsAndRedisAsksForAPassword() throws IOException {
    assertThat(Files.readString(DEPLOY.resolve("haproxy.cfg"))).contains("bind :8443 ssl crt ");
    assertThat(compose.get("services").get("redis").get("command").toString())
        .contains("--requirepass");
  }
}
