package dev.latchkey.bench;

import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stores of an experiment and the lengths of its measurements. Starts Postgres and Redis on
 * first use, unless {@code BENCH_POSTGRES_URI} (a user who may create databases) and {@code
 * BENCH_REDIS_URI} name them.
 */
final class BenchEnvironment implements AutoCloseable {

  private static final String PLAIN =
      """
      CREATE TABLE bench_payments (LIKE ledger_payments);
      ALTER TABLE bench_payments ADD PRIMARY KEY (id);
      CREATE TABLE bench_keys (
        tenant text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        fingerprint bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        response bytea,
        PRIMARY KEY (tenant, key))\
      """;

  /** With fewer requests, the JIT compiler of a server is still at work. */
  private static final long WARM_UP_REQUESTS = 100_000;

  /** The memory store uses up to a quarter of the heap for the keys of a whole experiment. */
  static final String LARGE_HEAP = "14g";

  private static final String POSTGRES_URI = "BENCH_POSTGRES_URI";

  private final Map<String, String> environment = System.getenv();
  private final boolean quick;
  private final int rounds;
  private final String heap;
  private final int windowSeconds;
  private final int warmUpSeconds;
  private PostgresServer postgres;
  private RedisServer redis;
  private int databases;

  BenchEnvironment(BenchMain options) {
    quick = options.quick;
    rounds = options.rounds > 0 ? options.rounds : quick ? 1 : 5;
    heap = options.heap;
    windowSeconds = options.windowSeconds > 0 ? options.windowSeconds : quick ? 2 : 4;
    warmUpSeconds = options.warmUpSeconds > 0 ? options.warmUpSeconds : quick ? 3 : 20;
  }

  int rounds() {
    return rounds;
  }

  double windowSeconds() {
    return windowSeconds;
  }

  double warmUpSeconds() {
    return warmUpSeconds;
  }

  long warmUpRequests() {
    return quick ? 0 : WARM_UP_REQUESTS;
  }

  boolean quick() {
    return quick;
  }

  /**
   * JVM options, the same for every server of an experiment. The heap is touched at the start, as
   * in a server that has run for a while. Two of the largest heaps exceed the memory: they get a
   * small young generation instead, which is soon reused, because a page's first use is expensive.
   */
  List<String> jvm(String heapOfExperiment) {
    String size = heap.isEmpty() ? heapOfExperiment : heap;
    return size.equals(LARGE_HEAP)
        ? List.of("-Xms" + size, "-Xmx" + size, "-Xmn1g")
        : List.of("-Xms" + size, "-Xmx" + size, "-XX:+AlwaysPreTouch");
  }

  /** Whether Postgres is an external server, whose processes and settings are unknown. */
  boolean isPostgresGiven() {
    return environment.containsKey(POSTGRES_URI);
  }

  /** A new empty database. */
  Database freshDatabase() {
    String given = environment.get(POSTGRES_URI);
    if (given == null) {
      if (postgres == null) {
        postgres = RealServers.startPostgres();
      }
      return postgres.freshDatabase();
    }
    PgConnectOptions options = PgConnectOptions.fromUri(given);
    Database there = database(options, options.getDatabase());
    String name = "bench_" + ProcessHandle.current().pid() + "_" + ++databases;
    there.value("CREATE DATABASE " + name);
    return database(options, name);
  }

  /** A new database with the service's schema and the tables of the baselines. */
  Database preparedDatabase() throws IOException {
    Database database = freshDatabase();
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.latchkey.Main"));
    command.addAll(List.of("migrate", "--store", "postgres", "--postgres-uri", database.uri()));
    Process migrate = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(migrate.getInputStream().readAllBytes());
    try {
      if (migrate.waitFor() != 0) {
        throw new IOException("migrate failed: " + output);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    for (String statement : PLAIN.split(";")) {
      database.value(statement);
    }
    return database;
  }

  private static Database database(PgConnectOptions options, String name) {
    return new Database(
        options.getHost(), options.getPort(), name, options.getUser(), options.getPassword());
  }

  /** The processes of the Postgres that this has started; empty if there is none. */
  List<Long> postgresProcesses() {
    if (postgres == null) {
      return List.of();
    }
    // A wrapper of the server has the same arguments; the inner process owns the backends.
    long root = Cpu.find("bin/postgres", "-D", "port=" + postgres.port());
    List<Long> tree = root == 0 ? List.of() : Cpu.tree(root);
    return tree.size() == 2 ? Cpu.tree(tree.get(1)) : tree;
  }

  /** A Redis that syncs its log every second: the installed program, if there is one. */
  RedisServer redis() {
    if (redis == null) {
      String[] settings = {"--appendonly", "yes", "--appendfsync", "everysec"};
      redis =
          RealServers.startInstalledRedis(settings)
              .orElseGet(() -> RealServers.startRedis(settings));
    }
    return redis;
  }

  String redisUri() {
    String given = environment.get("BENCH_REDIS_URI");
    return given == null ? redis().uri() : given;
  }

  /** The versions and settings of the servers that this has started. */
  Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    if (postgres != null) {
      Database database = postgres.maintenanceDatabase();
      versions.put("postgres", postgres.version());
      for (String name : List.of("fsync", "synchronous_commit", "shared_buffers")) {
        versions.put(name, database.value("SHOW " + name));
      }
    }
    if (redis != null) {
      String program = redis.program();
      boolean installed = !program.startsWith(System.getProperty("java.io.tmpdir"));
      versions.put(
          "redis",
          redis.version()
              + ", "
              + (installed ? program : "embedded")
              + ", allocator "
              + redis.allocator());
    }
    return versions;
  }

  @Override
  public void close() {
    if (postgres != null) {
      postgres.close();
    }
    if (redis != null) {
      redis.close();
    }
  }
}
