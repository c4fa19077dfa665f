package dev.latchkey.testing.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where tests get their servers from. Those of one's own cost about a second and are closed by
 * whoever starts them; the shared Postgres lives as long as the test JVM and must be left running.
 */
public final class RealServers {

  private static final boolean CONTAINERS = ContainerControl.isAvailable();
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private RealServers() {}

  private static final class SharedPostgres {
    static final PostgresServer SERVER = startPostgres();
  }

  /** Returns the Postgres that all tests of this JVM share; take a fresh database on it. */
  public static PostgresServer postgres() {
    return SharedPostgres.SERVER;
  }

  /** Creates an empty database on the shared Postgres. */
  public static Database freshDatabase() {
    return postgres().freshDatabase();
  }

  /**
   * Starts a Postgres for a test that kills it or changes its settings.
   *
   * @param settings further settings, such as {@code wal_level=logical}
   */
  public static PostgresServer startPostgres(String... settings) {
    List<String> all = List.of(settings);
    return tell(
        new PostgresServer(
            CONTAINERS ? ContainerServers.postgres(all) : EmbeddedPostgres.start(all)));
  }

  /** Starts an embedded Postgres that offers TLS with this certificate. */
  public static PostgresServer startPostgres(TestCertificate certificate) {
    return tell(new PostgresServer(EmbeddedPostgres.start(certificate)));
  }

  /**
   * Starts a Redis that keeps nothing unless told otherwise.
   *
   * @param arguments further arguments, such as {@code --appendonly yes --appendfsync always}, one
   *     word each
   */
  public static RedisServer startRedis(String... arguments) {
    List<String> all = List.of(arguments);
    return tell(
        new RedisServer(CONTAINERS ? ContainerServers.redis(all) : EmbeddedRedis.start(all)));
  }

  /**
   * Starts a {@code redis-server} that this machine has installed, for a benchmark: the embedded
   * one has an allocator of half its speed.
   *
   * @return empty when there is none on the {@code PATH}
   */
  public static Optional<RedisServer> startInstalledRedis(String... arguments) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    for (String directory : path.split(":")) {
      Path program = Path.of(directory, "redis-server");
      if (!directory.isEmpty() && Files.isExecutable(program)) {
        return Optional.of(new RedisServer(EmbeddedRedis.start(program, List.of(arguments))));
      }
    }
    return Optional.empty();
  }

  /** Starts an embedded Redis that speaks TLS alone; its {@link RedisServer#command} does not. */
  public static RedisServer startRedis(TestCertificate certificate, String... arguments) {
    return new RedisServer(EmbeddedRedis.start(certificate, List.of(arguments)));
  }

  /** Starts two embedded Redis with the slots of a cluster spread over them. */
  public static RedisCluster startRedisCluster(String... arguments) {
    return RedisCluster.start(List.of(arguments));
  }

  private static <S extends RealServer> S tell(S server) {
    String words = server.getClass().getSimpleName() + ", " + server.kind();
    if (TOLD.add(words)) {
      System.out.println("Tests run on a real " + words + ", version " + server.version());
    }
    return server;
  }
}
