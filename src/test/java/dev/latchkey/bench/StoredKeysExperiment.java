package dev.latchkey.bench;

import dev.latchkey.bench.MeasuredServer.Sample;
import dev.latchkey.testing.servers.Database;
import java.io.IOException;
import java.util.List;

/** Postgres' CPU time per request with few and with many stored keys. */
final class StoredKeysExperiment implements Experiment {

  private static final int FEW = 10_000;
  private static final int MANY = 5_000_000;
  private static final String FILL =
      """
      INSERT INTO latchkey_key (tenant, key, route, created_at_millis, expires_at_millis,
        lease_until_millis, attempt, steps, phase, taken_over, awaited, fingerprint, token, outline,
        response)
      SELECT 'default', gen_random_uuid()::text, 'POST /v1/payments', latchkey_now(),
        latchkey_now() + 86400000, latchkey_now() + 10000, 1, 0, 1, false, false,
        decode(repeat('ab', 32), 'hex'), decode(repeat('cd', 16), 'hex'),
        decode(repeat('ef', 40), 'hex'), decode(repeat('01', 100), 'hex')
      FROM generate_series(1, %d)""";
  private static final String FILL_FACTOR =
      """
      SELECT option_value FROM pg_class, pg_options_to_table(reloptions)
      WHERE relname = 'latchkey_key' AND option_name = 'fillfactor'""";

  @Override
  public String id() {
    return "stored-keys";
  }

  @Override
  public Result run(BenchEnvironment environment) throws IOException {
    if (environment.isPostgresGiven()) {
      throw new IOException(
          "measures the CPU of a Postgres that it starts: unset" + " BENCH_POSTGRES_URI");
    }
    int many = environment.quick() ? 10 * FEW : MANY;
    // Fills both first and alternates, because the machine's speed varies.
    ServerSpec onFew = on(filled(environment, FEW), FEW);
    ServerSpec onMany = on(filled(environment, many), many);
    try (MeasuredServer few = new MeasuredServer(onFew, environment, environment.jvm("2g"), 32);
        MeasuredServer more = new MeasuredServer(onMany, environment, environment.jvm("2g"), 32)) {
      ThroughputExperiment.measure(environment, List.of(few, more));
      return result(few, more, many);
    }
  }

  private static ServerSpec on(Database database, int keys) {
    return new ServerSpec(
        "Latchkey on Postgres, " + keys + " keys",
        (given, jvm) ->
            ServerUnderTest.start(
                jvm,
                List.of(
                    "dev.latchkey.Main",
                    "serve",
                    "--port",
                    "0",
                    "--store",
                    "postgres",
                    "--postgres-uri",
                    database.uri())),
        0,
        false);
  }

  private static Result result(MeasuredServer few, MeasuredServer more, int many) {
    Spread growth = ThroughputExperiment.ratio(more, few, Sample::postgresMicros);
    return new Result("Stored keys")
        .line("stored keys", "CPU of Postgres per request, us")
        .line(FEW + " and more", ThroughputExperiment.column(few, Sample::postgresMicros).text(0))
        .line(many + " and more", ThroughputExperiment.column(more, Sample::postgresMicros).text(0))
        .ratio(many + " against " + FEW + " keys", growth)
        .note("the keys are filled in as completed, with responses of 100 bytes, then vacuumed")
        .note("32 connections; two databases of one server, a process of the service for each");
  }

  /** Packs the pages: the insert takes minutes instead of hours. */
  private static Database filled(BenchEnvironment environment, int keys) throws IOException {
    Database database = environment.preparedDatabase();
    String fillFactor = database.value(FILL_FACTOR);
    database.value("ALTER TABLE latchkey_key SET (fillfactor = 100)");
    for (int left = keys; left > 0; left -= 500_000) {
      database.value(FILL.formatted(Math.min(left, 500_000)));
    }
    database.value("ALTER TABLE latchkey_key SET (fillfactor = " + fillFactor + ")");
    database.value("VACUUM ANALYZE latchkey_key");
    database.value("CHECKPOINT");
    return database;
  }
}
