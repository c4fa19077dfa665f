package dev.latchkey.bench;

import dev.latchkey.testing.servers.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * The unit of the latencies: the median time of a one-row INSERT or a SET, in microseconds.
 * Measured on a blocking thread, and with the service's driver on an event loop.
 */
final class RoundTrip {

  private static final int COUNTED = 3_000;
  private static final int UNCOUNTED = 1_000;
  private static final String BODY = "x".repeat(500);
  private static final String TABLE =
      "CREATE TABLE IF NOT EXISTS bench_unit (id bigserial PRIMARY KEY, body text)";

  private RoundTrip() {}

  static double ofInsert(Database database) throws IOException {
    database.value(TABLE);
    try (Connection connection = database.jdbc();
        var insert = connection.prepareStatement("INSERT INTO bench_unit (body) VALUES (?)")) {
      insert.setString(1, BODY);
      return median(insert::executeUpdate);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  static double ofInsertByDriver(Database database) throws IOException {
    database.value(TABLE);
    return onEventLoop(
        vertx ->
            PgConnection.connect(vertx, database.uri())
                .compose(to -> to.prepare("INSERT INTO bench_unit (body) VALUES ($1)"))
                .map(insert -> (Supplier<Future<?>>) () -> executed(insert)));
  }

  private static Future<?> executed(PreparedStatement insert) {
    return insert.query().execute(Tuple.of(BODY));
  }

  static double ofSet(String uri) throws IOException {
    URI redis = URI.create(uri);
    try (Socket socket = new Socket(redis.getHost(), redis.getPort())) {
      socket.setTcpNoDelay(true);
      String set = "*3\r\n$3\r\nSET\r\n$10\r\nbench-unit\r\n$500\r\n" + BODY + "\r\n";
      byte[] bytes = set.getBytes(StandardCharsets.US_ASCII);
      return median(
          () -> {
            socket.getOutputStream().write(bytes);
            return socket.getInputStream().readNBytes("+OK\r\n".length());
          });
    }
  }

  static double ofSetByDriver(String uri) throws IOException {
    return onEventLoop(
        vertx ->
            Redis.createClient(vertx, uri)
                .connect()
                .map(
                    to ->
                        (Supplier<Future<?>>)
                            () -> to.send(Request.cmd(Command.SET).arg("bench-unit").arg(BODY))));
  }

  private static double median(Callable<?> call) throws IOException {
    double[] micros = new double[COUNTED];
    try {
      for (int i = -UNCOUNTED; i < COUNTED; i++) {
        long start = System.nanoTime();
        call.call();
        if (i >= 0) {
          micros[i] = (System.nanoTime() - start) / 1e3;
        }
      }
    } catch (Exception e) {
      throw new IOException(e);
    }
    return Spread.of(micros).median();
  }

  /** Connects to a server and returns a call. */
  private interface Connector {
    Future<Supplier<Future<?>>> on(Vertx vertx);
  }

  private static double onEventLoop(Connector connector) throws IOException {
    Vertx vertx = Vertx.vertx();
    CompletableFuture<Double> result = new CompletableFuture<>();
    vertx
        .getOrCreateContext()
        .runOnContext(
            ignored ->
                connector
                    .on(vertx)
                    .onSuccess(call -> next(call, new double[COUNTED], -UNCOUNTED, result))
                    .onFailure(result::completeExceptionally));
    try {
      return result.join();
    } catch (CompletionException e) {
      throw new IOException(e);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private static void next(
      Supplier<Future<?>> call, double[] micros, int i, CompletableFuture<Double> result) {
    if (i == micros.length) {
      result.complete(Spread.of(micros).median());
      return;
    }
    long start = System.nanoTime();
    call.get()
        .onSuccess(
            done -> {
              if (i >= 0) {
                micros[i] = (System.nanoTime() - start) / 1e3;
              }
              next(call, micros, i + 1, result);
            })
        .onFailure(result::completeExceptionally);
  }
}
