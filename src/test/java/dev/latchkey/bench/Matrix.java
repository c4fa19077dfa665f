package dev.latchkey.bench;

import java.util.List;

/** All experiments, in the order of the page. */
final class Matrix {

  private static final String WITHOUT = "without idempotency, one INSERT into the ledger's table";
  private static final String PLAIN = "without idempotency, one INSERT into a plain table";

  private Matrix() {}

  static List<Experiment> all() {
    Side bare = Side.bare("bare, with validation and PSP call", "bare-rendered");
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
            Side.service("Latchkey on Postgres", "postgres"),
            Side.onPostgres(WITHOUT, "insert")),
        new LatencyExperiment(
            "redis",
            Side.service("Latchkey on Redis", "redis"),
            Side.onRedis("without idempotency, one SET", "set")),
        new LatencyExperiment("memory", Side.service("Latchkey in memory", "memory"), bare),
        new CrowdExperiment(),
        new WakeExperiment("postgres"),
        new WakeExperiment("redis"),
        new StoredKeysExperiment(),
        new StartExperiment());
  }

  private static Experiment postgres32() {
    return new Contest(
        "postgres-32",
        "Postgres, unique keys, 32 connections",
        32,
        "2g",
        List.of(Side.service("Latchkey on Postgres", "postgres")),
        List.of(
            Side.onPostgres(WITHOUT, "insert"),
            Side.onPostgres(PLAIN, "insert-plain"),
            Side.onPostgres("textbook", "textbook"),
            Side.onPostgres("textbook, three commits", "textbook-3")));
  }

  private static Experiment postgres128() {
    return new Contest(
        "postgres-128",
        "Postgres, unique keys, 128 connections",
        128,
        "2g",
        List.of(Side.service("Latchkey on Postgres", "postgres")),
        List.of(Side.onPostgres(WITHOUT, "insert"), Side.onPostgres(PLAIN, "insert-plain")));
  }

  private static Experiment memory() {
    return new Contest(
        "memory",
        "Memory store, unique keys",
        32,
        Stage.LARGE_HEAP,
        List.of(Side.service("Latchkey in memory", "memory")),
        List.of(Side.bare("bare, with validation and PSP call", "bare-paid")));
  }

  private static Experiment replays() {
    return new Contest(
        "replays",
        "Replays of completed keys",
        32,
        "2g",
        List.of(
            Side.service("Latchkey in memory, from the cache", "memory").replaying(),
            Side.service("Latchkey on Postgres, from the cache", "postgres").replaying(),
            Side.service("Latchkey on Postgres, no cache", "postgres", "--replay-cache", "0")
                .replaying()),
        List.of(Side.bare("bare", "bare")));
  }

  private static Experiment redisReplays() {
    return new Contest(
        "redis-replays",
        "Replays that Redis holds",
        32,
        "2g",
        List.of(
            Side.service("Latchkey on Redis, no cache", "redis", "--replay-cache", "0")
                .replaying()),
        List.of(Side.bare("bare", "bare")));
  }

  private static Experiment redisLedger() {
    return new Contest(
        "redis",
        "Redis ledger, unique keys",
        32,
        "2g",
        List.of(Side.service("Latchkey on Redis", "redis")),
        List.of(Side.bare("bare", "bare")));
  }
}
