package dev.latchkey.bench;

import java.util.List;

/** All experiments, in the order of the page. */
final class Experiments {

  private static final String WITHOUT = "without idempotency, one INSERT into the ledger's table";
  private static final String PLAIN = "without idempotency, one INSERT into a plain table";

  private Experiments() {}

  static List<Experiment> all() {
    ServerSpec bare = ServerSpec.bare("bare, with validation and PSP call", "bare-rendered");
    return List.of(
        postgres32(),
        postgres128(),
        new PgbenchExperiment(),
        memory(),
        replays(),
        redisReplays(),
        redisLedger(),
        new LatencyExperiment(
            "postgres",
            ServerSpec.service("Latchkey on Postgres", "postgres"),
            ServerSpec.onPostgres(WITHOUT, "insert")),
        new LatencyExperiment(
            "redis",
            ServerSpec.service("Latchkey on Redis", "redis"),
            ServerSpec.onRedis("without idempotency, one SET", "set")),
        new LatencyExperiment("memory", ServerSpec.service("Latchkey in memory", "memory"), bare),
        new CrowdExperiment(),
        new WakeExperiment("postgres"),
        new WakeExperiment("redis"),
        new StoredKeysExperiment(),
        new StartExperiment());
  }

  private static Experiment postgres32() {
    return new ThroughputExperiment(
        "postgres-32",
        "Postgres, unique keys, 32 connections",
        32,
        "2g",
        List.of(ServerSpec.service("Latchkey on Postgres", "postgres")),
        List.of(
            ServerSpec.onPostgres(WITHOUT, "insert"),
            ServerSpec.onPostgres(PLAIN, "insert-plain"),
            ServerSpec.onPostgres("textbook", "textbook"),
            ServerSpec.onPostgres("textbook, three commits", "textbook-3")));
  }

  private static Experiment postgres128() {
    return new ThroughputExperiment(
        "postgres-128",
        "Postgres, unique keys, 128 connections",
        128,
        "2g",
        List.of(ServerSpec.service("Latchkey on Postgres", "postgres")),
        List.of(
            ServerSpec.onPostgres(WITHOUT, "insert"),
            ServerSpec.onPostgres(PLAIN, "insert-plain")));
  }

  private static Experiment memory() {
    return new ThroughputExperiment(
        "memory",
        "Memory store, unique keys",
        32,
        BenchEnvironment.LARGE_HEAP,
        List.of(ServerSpec.service("Latchkey in memory", "memory")),
        List.of(ServerSpec.bare("bare, with validation and PSP call", "bare-paid")));
  }

  private static Experiment replays() {
    return new ThroughputExperiment(
        "replays",
        "Replays of completed keys",
        32,
        "2g",
        List.of(
            ServerSpec.service("Latchkey in memory, from the cache", "memory").replaying(),
            ServerSpec.service("Latchkey on Postgres, from the cache", "postgres").replaying(),
            ServerSpec.service("Latchkey on Postgres, no cache", "postgres", "--replay-cache", "0")
                .replaying()),
        List.of(ServerSpec.bare("bare", "bare")));
  }

  private static Experiment redisReplays() {
    return new ThroughputExperiment(
        "redis-replays",
        "Replays that Redis holds",
        32,
        "2g",
        List.of(
            ServerSpec.service("Latchkey on Redis, no cache", "redis", "--replay-cache", "0")
                .replaying()),
        List.of(ServerSpec.bare("bare", "bare")));
  }

  private static Experiment redisLedger() {
    return new ThroughputExperiment(
        "redis",
        "Redis ledger, unique keys",
        32,
        "2g",
        List.of(ServerSpec.service("Latchkey on Redis", "redis")),
        List.of(ServerSpec.bare("bare", "bare")));
  }
}
