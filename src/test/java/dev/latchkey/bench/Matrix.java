package dev.latchkey.bench;

import dev.latchkey.bench.Contest.Ratio;
import java.util.List;

/** All experiments, in the order of the page. */
final class Matrix {

  private static final String WITHOUT = "without idempotency, one INSERT into the ledger's table";
  private static final String PLAIN = "without idempotency, one INSERT into a plain table";
  private static final String UNIQUE =
      "Postgres, unique keys: payment, event and record, against *without idempotency*";

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
            Side.onPostgres(WITHOUT, "insert"),
            1.3,
            1.1),
        new LatencyExperiment(
            "redis",
            Side.service("Latchkey on Redis", "redis"),
            Side.onRedis("without idempotency, one SET", "set"),
            1.3,
            1.1),
        new LatencyExperiment(
            "memory", Side.service("Latchkey in memory", "memory"), bare, 0.2, 0.1),
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
        List.of(
            Side.service("Latchkey on Postgres", "postgres"),
            Side.onPostgres(WITHOUT, "insert"),
            Side.onPostgres(PLAIN, "insert-plain"),
            Side.onPostgres("textbook", "textbook"),
            Side.onPostgres("textbook, three commits", "textbook-3")),
        List.of(
            new Ratio(UNIQUE, 0, 1, 0.85, 1.0),
            new Ratio(UNIQUE + ", whose table has no index but its key", 0, 2, 0.85, 1.0),
            new Ratio("the same against *textbook*", 0, 3, 2.7, 3.3),
            new Ratio("the same against *textbook* with three commits", 0, 4, 2.7, 3.3)));
  }

  private static Experiment postgres128() {
    return new Contest(
        "postgres-128",
        "Postgres, unique keys, 128 connections",
        128,
        "2g",
        List.of(
            Side.service("Latchkey on Postgres", "postgres"),
            Side.onPostgres(WITHOUT, "insert"),
            Side.onPostgres(PLAIN, "insert-plain")),
        List.of(
            new Ratio(UNIQUE + ", 128 connections", 0, 1, 1.3, 1.6),
            new Ratio(
                UNIQUE + ", whose table has no index but its key, 128 connections",
                0,
                2,
                1.3,
                1.6)));
  }

  private static Experiment memory() {
    return new Contest(
        "memory",
        "Memory store, unique keys",
        32,
        Stage.LARGE_HEAP,
        List.of(
            Side.service("Latchkey in memory", "memory"),
            Side.bare("bare, with validation and PSP call", "bare-paid")),
        List.of(
            new Ratio(
                "memory store, unique keys, against *bare* with validation and PSP call",
                0,
                1,
                0.6,
                0.75)));
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
                .replaying(),
            Side.bare("bare", "bare")),
        List.of(
            new Ratio("replays from the node's cache, memory, against *bare*", 0, 3, 0.7, 0.85),
            new Ratio("replays from the node's cache, Postgres, against *bare*", 1, 3, 0.7, 0.85),
            new Ratio("replays not in the cache, Postgres, against *bare*", 2, 3, 0.3, 0.45)));
  }

  private static Experiment redisReplays() {
    return new Contest(
        "redis-replays",
        "Replays that Redis holds",
        32,
        "2g",
        List.of(
            Side.service("Latchkey on Redis, no cache", "redis", "--replay-cache", "0").replaying(),
            Side.bare("bare", "bare")),
        List.of(new Ratio("replays not in the cache, Redis, against *bare*", 0, 1, 0.4, 0.55)));
  }

  private static Experiment redisLedger() {
    return new Contest(
        "redis",
        "Redis ledger, unique keys",
        32,
        "2g",
        List.of(Side.service("Latchkey on Redis", "redis"), Side.bare("bare", "bare")),
        List.of(
            new Ratio(
                "Redis ledger (appendonly everysec), unique keys, against *bare*",
                0,
                1,
                0.3,
                0.4)));
  }
}
