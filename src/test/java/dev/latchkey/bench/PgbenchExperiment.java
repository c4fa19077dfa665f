package dev.latchkey.bench;

import dev.latchkey.testing.Children;
import dev.latchkey.testing.servers.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Compares the service with pgbench, which executes the textbook's three commits without HTTP. */
final class PgbenchExperiment implements Experiment {

  private static final String SCRIPT =
      """
      INSERT INTO bench_keys (tenant, key, fingerprint)
        VALUES ('default', gen_random_uuid()::text, '\\x00'::bytea)
        ON CONFLICT DO NOTHING RETURNING key AS k \\gset
      INSERT INTO bench_payments (booking, id, tenant, idempotency_key, derived_key, psp_charge,
        created_at_ms, amount, currency, payment_method, customer, description, metadata, status,
        captured_amount, refunded_amount, disputed, updated_at_ms, version)
        VALUES (1, gen_random_uuid()::text, 'default', :k, :k, :k, 1, 1250, 'EUR',
        'pm_card_visa', 'customer-17', 'Order 1017, two items', '{"order":"1017"}', 'succeeded',
        1250, 0, false, 1, 1);
      UPDATE bench_keys SET response = decode(repeat('ab', 700), 'hex')
        WHERE tenant = 'default' AND key = :k AND response IS NULL;
      """;

  @Override
  public String id() {
    return "pgbench";
  }

  @Override
  public Result run(BenchEnvironment environment) throws IOException, InterruptedException {
    Database database = environment.preparedDatabase();
    Path script = Files.createTempFile("textbook", ".sql");
    Files.writeString(script, SCRIPT);
    ServerSpec service = ServerSpec.service("Latchkey on Postgres, over HTTP", "postgres");
    double[] ratio = new double[environment.rounds()];
    double[] rates = new double[environment.rounds()];
    try (MeasuredServer ours =
        new MeasuredServer(service, environment, environment.jvm("2g"), 32)) {
      ours.warmUp();
      pgbench(database, script, 2);
      for (int round = 0; round < ratio.length; round++) {
        boolean first = round % 2 == 0;
        if (first) {
          ours.measure();
        }
        rates[round] = pgbench(database, script, (int) environment.windowSeconds());
        if (!first) {
          ours.measure();
        }
        ratio[round] = ours.samples().get(round).perSecond() / rates[round];
      }
      Spread own = Spread.of(ours.samples().stream().mapToDouble(it -> it.perSecond()).toArray());
      return new Result("Against pgbench")
          .line("side", "per second")
          .line(ours.name(), own.text(0))
          .line("pgbench, three commits, 32 clients, prepared", Spread.of(rates).text(0))
          .ratio(ours.name() + ", against pgbench", Spread.of(ratio));
    } finally {
      Files.delete(script);
    }
  }

  private static double pgbench(Database database, Path script, int seconds)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                "pgbench",
                "--no-vacuum",
                "--client=32",
                "--jobs=2",
                "--protocol=prepared",
                "--time=" + seconds,
                "--file=" + script,
                "--host=" + database.host(),
                "--port=" + database.port(),
                "--username=" + database.user(),
                database.name()));
    builder.environment().put("PGPASSWORD", database.password());
    builder.environment().put("PGOPTIONS", "-c enable_seqscan=off");
    Process process = Children.endingWithThisOne(builder.redirectErrorStream(true).start());
    String output = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    double rate =
        output
            .lines()
            .filter(line -> line.startsWith("tps = "))
            .mapToDouble(line -> Double.parseDouble(line.split(" ")[2]))
            .findFirst()
            .orElseThrow(() -> new IOException("pgbench: " + output.strip().replace("\n", " / ")));
    System.out.println(String.format(Locale.ROOT, "  pgbench %.0f/s", rate));
    return rate;
  }
}
