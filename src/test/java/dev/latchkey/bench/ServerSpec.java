package dev.latchkey.bench;

import dev.latchkey.testing.servers.Database;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One side of a comparison: how to start its server, and which requests it gets.
 *
 * @param name shown in the tables
 * @param start starts its server
 * @param replays number of keys that the requests share; 0 if each has its own
 * @param pools whether the warm-up selects the size of its pool
 */
record ServerSpec(String name, Start start, int replays, boolean pools) {

  private static final int REPLAYED_KEYS = 5_000;

  /** Starts a server. */
  interface Start {
    ServerUnderTest on(BenchEnvironment environment, List<String> jvm) throws IOException;
  }

  static ServerSpec service(String name, String store, String... more) {
    return new ServerSpec(
        name,
        (environment, jvm) -> {
          List<String> command = new ArrayList<>(List.of("dev.latchkey.Main", "serve"));
          command.addAll(List.of("--port", "0", "--store", store));
          command.addAll(List.of(more));
          switch (store) {
            case "postgres" ->
                command.addAll(List.of("--postgres-uri", environment.preparedDatabase().uri()));
            case "redis" -> command.addAll(List.of("--redis-uri", environment.redisUri()));
            default -> {}
          }
          return ServerUnderTest.start(jvm, command);
        },
        0,
        false);
  }

  static ServerSpec bare(String name, String mode) {
    return new ServerSpec(name, (environment, jvm) -> baseline(jvm, mode), 0, false);
  }

  static ServerSpec onPostgres(String name, String mode) {
    return new ServerSpec(
        name,
        (environment, jvm) -> {
          Database database = environment.preparedDatabase();
          return baseline(jvm, mode, "--uri", database.uri());
        },
        0,
        true);
  }

  static ServerSpec onRedis(String name, String mode) {
    return new ServerSpec(
        name, (environment, jvm) -> baseline(jvm, mode, "--uri", environment.redisUri()), 0, false);
  }

  /** The same server, with requests for the same keys over and over. */
  ServerSpec replaying() {
    return new ServerSpec(name, start, REPLAYED_KEYS, pools);
  }

  private static ServerUnderTest baseline(List<String> jvm, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("dev.latchkey.bench.BaselineMain"));
    command.addAll(List.of(arguments));
    return ServerUnderTest.start(jvm, command);
  }
}
