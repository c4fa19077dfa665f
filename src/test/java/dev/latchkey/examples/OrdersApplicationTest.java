package dev.latchkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/library.md do what the page says, and the page quotes them. */
class OrdersApplicationTest {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final List<String> BOOKINGS = new CopyOnWriteArrayList<>();

  private static Vertx vertx;
  private static Database database;
  private static OrdersApplication application;

  @BeforeAll
  static void start() {
    vertx = TestVertx.create();
    database = RealServers.freshDatabase();
    TripApplication.migrate(database);
    database.value(OrdersApplication.TABLES);
    database.value("INSERT INTO voucher VALUES ('SPRING')");
    application = new OrdersApplication(database.connectOptions(), OrdersApplicationTest::book);
    Await.await(vertx.deployVerticle(application));
    application.stores().forEach(store -> StoreCalls.eventually(store::probe));
  }

  @AfterAll
  static void stop() {
    Await.await(vertx.close());
  }

  /** A carrier whose first response is lost. */
  private static Future<Buffer> book(String key) {
    BOOKINGS.add(key);
    return BOOKINGS.size() == 1
        ? Future.failedFuture("connection reset")
        : Future.succeededFuture(Buffer.buffer("parcel-1"));
  }

  private static CompletableFuture<HttpResponse<String>> post(
      String customer, String key, String path, String body) {
    URI uri = URI.create("http://127.0.0.1:" + application.port() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Customer", customer)
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return CLIENT.sendAsync(request, BodyHandlers.ofString());
  }

  @Test
  void concurrentCopiesOfAnOrderInsertOneRow() {
    List<String> responses =
        IntStream.range(0, 20)
            .mapToObj(i -> post("ann", "order-1", "/orders", "{\"item\":\"chair\"}"))
            .toList()
            .stream()
            .map(it -> it.join().body())
            .distinct()
            .toList();
    assertThat(responses).hasSize(1);
    assertThat(responses.get(0)).startsWith("{\"order\":");
    assertThat(post("bob", "order-1", "/orders", "{\"item\":\"chair\"}").join().body())
        .isNotEqualTo(responses.get(0));
    assertThat(post("ann", "order-1", "/orders", "{\"item\":\"desk\"}").join().statusCode())
        .isEqualTo(422);
    assertThat(database.value("SELECT count(*) FROM orders")).isEqualTo("2");
  }

  @Test
  void retryOfAShipmentUsesTheSameDownstreamKey() {
    assertThat(post("ann", "ship-1", "/shipments", "{}").join().statusCode()).isEqualTo(500);
    HttpResponse<String> retry = post("ann", "ship-1", "/shipments", "{}").join();
    assertThat(retry.body()).isEqualTo("parcel-1");
    assertThat(post("ann", "ship-1", "/shipments", "{}").join().body()).isEqualTo("parcel-1");
    assertThat(BOOKINGS).hasSize(2).containsOnly(BOOKINGS.get(0));
  }

  @Test
  void voucherIsRedeemedOnce() {
    assertThat(post("ann", "v-1", "/vouchers/SPRING", "{}").join().body())
        .isEqualTo("redeemed SPRING");
    assertThat(post("ann", "v-1", "/vouchers/SPRING", "{}").join().statusCode()).isEqualTo(201);
    assertThat(post("bob", "v-2", "/vouchers/SPRING", "{}").join().statusCode()).isEqualTo(409);
  }

  @ParameterizedTest
  @ValueSource(strings = {"protect", "transaction", "step", "enlist"})
  void pageQuotesTheExample(String mark) throws Exception {
    String source =
        Files.readString(Path.of("src/test/java/dev/latchkey/examples/OrdersApplication.java"));
    int start = source.indexOf("// [" + mark + "]\n");
    assertThat(start).as(mark).isNotNegative();
    String part =
        source.substring(source.indexOf('\n', start) + 1, source.indexOf("// [end]", start));
    assertThat(Files.readString(Path.of("docs/library.md")))
        .contains("```java\n" + part.stripIndent().strip() + "\n```");
  }
}
