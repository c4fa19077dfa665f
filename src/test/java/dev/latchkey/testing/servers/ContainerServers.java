package dev.latchkey.testing.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.rnorth.ducttape.unreliables.Unreliables;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Starts the servers in containers, of the same versions as the embedded ones. */
final class ContainerServers {

  private static final int POSTGRES_PORT = 5432;
  private static final int REDIS_PORT = 6379;
  private static final int LIMIT_SECONDS = 60;

  private ContainerServers() {}

  static ServerControl postgres(List<String> settings) {
    List<String> all = new ArrayList<>(PostgresServer.DURABLE);
    all.add("max_connections=200");
    all.addAll(settings);
    List<String> command = new ArrayList<>(List.of("postgres"));
    all.forEach(setting -> command.addAll(List.of("-c", setting)));
    // Its own default command switches fsync off.
    PostgreSQLContainer container =
        new PostgreSQLContainer("postgres:" + Binaries.postgresMajorVersion())
            .withUsername(PostgresServer.USER)
            .withPassword(PostgresServer.PASSWORD)
            .withCommand(command.toArray(String[]::new));
    int port = Ports.free();
    Database database = PostgresServer.database(ContainerControl.dockerHost(), port, "postgres");
    return new ContainerControl(
        container, POSTGRES_PORT, port, () -> retry(() -> database.value("SELECT 1")));
  }

  static ServerControl redis(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("redis-server", "--save", ""));
    command.addAll(arguments);
    GenericContainer<?> container =
        new GenericContainer<>("redis:" + Binaries.redisVersion())
            .withCommand(command.toArray(String[]::new));
    int port = Ports.free();
    return new ContainerControl(container, REDIS_PORT, port, () -> retry(() -> ping(port)));
  }

  private static Object ping(int port) {
    try (RespConnection connection = new RespConnection(ContainerControl.dockerHost(), port)) {
      return connection.command("PING");
    }
  }

  /** A published port takes connections before the server behind it does. */
  private static void retry(Callable<Object> call) {
    Unreliables.retryUntilSuccess(
        LIMIT_SECONDS,
        TimeUnit.SECONDS,
        () -> {
          try {
            return call.call();
          } catch (AssertionError e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
