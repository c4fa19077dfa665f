package dev.latchkey.bench;

import dev.latchkey.testing.servers.Database;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * What the layer adds to the median latency of one request at a time, in units of one round trip of
 * a one-row INSERT or a SET of the same run.
 */
final class LatencyExperiment implements Experiment {

  private final String store;
  private final Side service;
  private final Side without;
  private final double required;
  private final double aimed;

  LatencyExperiment(String store, Side service, Side without, double required, double aimed) {
    this.store = store;
    this.service = service;
    this.without = without;
    this.required = required;
    this.aimed = aimed;
  }

  @Override
  public String id() {
    return "latency-" + store;
  }

  @Override
  public Result run(Stage stage) throws IOException {
    List<String> jvm = stage.jvm(Stage.LARGE_HEAP);
    int rounds = stage.rounds();
    double[] unit = new double[rounds];
    double[] added = new double[rounds];
    boolean insert = store.equals("postgres");
    Database database = insert ? stage.preparedDatabase() : null;
    try (Contestant ours = new Contestant(service, stage, jvm, 1);
        Contestant bare = new Contestant(without, stage, jvm, 1)) {
      ours.warmUp();
      bare.warmUp();
      for (int round = 0; round < rounds; round++) {
        ours.measure();
        bare.measure();
        unit[round] = insert ? insertMicros(database) : setMicros(stage.redisUri());
        bare.measure();
        ours.measure();
        double with = (last(ours, 0) + last(ours, 1)) / 2;
        double free = (last(bare, 0) + last(bare, 1)) / 2;
        added[round] = (with - free) / unit[round];
      }
      Spread spread = Spread.of(added);
      return new Result("One request at a time, " + store)
          .line("", "p50 us")
          .line(ours.name(), p50(ours).text(0))
          .line(bare.name(), p50(bare).text(0))
          .line(insert ? "one-row INSERT" : "SET", Spread.of(unit).text(0))
          .found(
              new Finding(
                  "median latency that the layer adds to one request at a time, " + store,
                  String.format(Locale.ROOT, "%s round trips, aimed at %s", required, aimed),
                  required,
                  aimed,
                  spread.median(),
                  spread.text(2),
                  false))
          .note("one connection, " + rounds + " rounds of A B unit B A");
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private static double last(Contestant of, int back) {
    return of.samples().get(of.samples().size() - 1 - back).p50Micros();
  }

  private static Spread p50(Contestant of) {
    return Spread.of(of.samples().stream().mapToDouble(it -> it.p50Micros()).toArray());
  }

  /** By the JDBC driver, prepared, committed by itself. */
  private static double insertMicros(Database database) throws SQLException {
    database.value("CREATE TABLE IF NOT EXISTS bench_unit (id bigserial PRIMARY KEY, body text)");
    try (Connection connection = database.jdbc();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO bench_unit (body) VALUES (?)")) {
      insert.setString(1, "x".repeat(500));
      return median(
          () -> {
            insert.executeUpdate();
            return null;
          });
    } catch (SQLException e) {
      throw e;
    } catch (Exception e) {
      throw new SQLException(e);
    }
  }

  private static double setMicros(String uri) throws IOException {
    URI redis = URI.create(uri);
    try (Socket socket = new Socket(redis.getHost(), redis.getPort())) {
      socket.setTcpNoDelay(true);
      String set = "*3\r\n$3\r\nSET\r\n$10\r\nbench-unit\r\n$500\r\n" + "x".repeat(500) + "\r\n";
      byte[] bytes = set.getBytes(StandardCharsets.US_ASCII);
      return median(
          () -> {
            socket.getOutputStream().write(bytes);
            return socket.getInputStream().readNBytes("+OK\r\n".length());
          });
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static double median(Callable<?> call) throws Exception {
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      long start = System.nanoTime();
      call.call();
      if (i >= 1_000) {
        micros.add((System.nanoTime() - start) / 1e3);
      }
    }
    return Spread.of(micros.stream().mapToDouble(Double::doubleValue).toArray()).median();
  }
}
