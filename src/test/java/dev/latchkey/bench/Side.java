package dev.latchkey.bench;

import dev.latchkey.testing.servers.Database;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One side of a comparison: how its server is started, and what is sent to it.
 *
 * @param name as it shows in the tables
 * @param start starts its server
 * @param replays how many keys its requests share; 0 when each has its own
 * @param pools whether the size of its pool is to be chosen first
 */
record Side(String name, Start start, int replays, boolean pools) {

  private static final int REPLAYED_KEYS = 5_000;

  /** Starts a server. */
  interface Start {
    Served on(Stage stage, List<String> jvm) throws IOException;
  }

  static Side service(String name, String store, String... more) {
    return new Side(
        name,
        (stage, jvm) -> {
          List<String> command = new ArrayList<>(List.of("dev.latchkey.Main", "serve"));
          command.addAll(List.of("--port", "0", "--store", store));
          command.addAll(List.of(more));
          switch (store) {
            case "postgres" ->
                command.addAll(List.of("--postgres-uri", stage.preparedDatabase().uri()));
            case "redis" -> command.addAll(List.of("--redis-uri", stage.redisUri()));
            default -> {}
          }
          return Served.start(jvm, command);
        },
        0,
        false);
  }

  static Side bare(String name, String mode) {
    return new Side(name, (stage, jvm) -> baseline(jvm, mode), 0, false);
  }

  static Side onPostgres(String name, String mode) {
    return new Side(
        name,
        (stage, jvm) -> {
          Database database = stage.preparedDatabase();
          return baseline(jvm, mode, "--uri", database.uri());
        },
        0,
        true);
  }

  static Side onRedis(String name, String mode) {
    return new Side(name, (stage, jvm) -> baseline(jvm, mode, "--uri", stage.redisUri()), 0, false);
  }

  /** The same side, sent the same keys over and over. */
  Side replaying() {
    return new Side(name, start, REPLAYED_KEYS, pools);
  }

  private static Served baseline(List<String> jvm, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("dev.latchkey.bench.BaselineMain"));
    command.addAll(List.of(arguments));
    return Served.start(jvm, command);
  }
}
