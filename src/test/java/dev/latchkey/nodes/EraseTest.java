package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.service.cli.RedisLocation;
import dev.latchkey.service.cli.StoreConfig;
import dev.latchkey.service.cli.StoreKind;
import dev.latchkey.service.erase.Erasure;
import dev.latchkey.service.erase.Subject;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code erase} over every store that outlives its process. */
class EraseTest {

  private static final String SECRET = "jane@example.org";
  private static final String TENANT = "default";

  private final HttpClient client = HttpClient.newHttpClient();

  private static List<String> erase(StoreConfig stores, Subject subject, boolean remove) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Erasure.run(stores, subject, remove, new PrintStream(bytes));
    return bytes.toString().lines().toList();
  }

  private HttpResponse<String> send(String method, URI url, String key, String body) {
    return Await.await(
        client.sendAsync(
            HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString()));
  }

  private HttpResponse<String> pay(URI node, String key, String customer) {
    JsonObject body =
        new JsonObject()
            .put("amount", 1_000)
            .put("currency", "EUR")
            .put("payment_method", "pm_card_visa")
            .put("capture", false)
            .put("customer", customer)
            .put("description", SECRET)
            .put("metadata", new JsonObject().put("mail", SECRET));
    return send("POST", node.resolve("/v1/payments"), key, body.encode());
  }

  private static JsonObject payment(URI node, String id) {
    return new JsonObject(PaymentClient.get(node, "/v1/payments/" + id).body());
  }

  private void assertErased(URI node, StoreConfig stores) {
    send("PUT", node.resolve("/v1/customers/c_1"), "-", "{\"email\":\"" + SECRET + "\"}");
    String own = new JsonObject(pay(node, "k_1", "c_1").body()).getString("id");
    send("POST", node.resolve("/v1/payments/" + own + "/capture"), "k_2", "{}");
    HttpResponse<String> other = pay(node, "k_3", "c_2");
    JsonObject before = payment(node, own);
    Subject customer = new Subject(TENANT, true, "c_1");

    List<String> dry = erase(stores, customer, false);

    assertThat(dry)
        .contains("would remove: payment " + own + ": customer, description, metadata")
        .contains("would remove: customer \"c_1\": name, email")
        .anyMatch(line -> line.contains("\"k_1\" of POST /v1/payments: stored response"))
        .anyMatch(line -> line.contains("\"k_2\" of POST /v1/payments/"))
        .noneMatch(line -> line.contains(SECRET) || line.contains("k_3"));
    assertThat(payment(node, own)).isEqualTo(before);
    assertThat(pay(node, "k_1", "c_1").statusCode()).isEqualTo(201);

    assertThat(erase(stores, customer, true)).hasSameSizeAs(dry);

    JsonObject after = payment(node, own);
    assertThat(after.encode()).doesNotContain(SECRET, "c_1");
    assertThat(after.getLong("captured_amount")).isEqualTo(1_000);
    assertThat(after.getString("status")).isEqualTo("succeeded");
    assertThat(PaymentClient.get(node, "/v1/customers/c_1").statusCode()).isEqualTo(404);
    assertThat(PaymentClient.get(node, "/v1/payments?customer=c_1").body()).doesNotContain(own);
    HttpResponse<String> retry = pay(node, "k_1", "c_1");
    assertThat(retry.statusCode()).isEqualTo(409);
    assertThat(retry.body()).contains("/response-not-retained").doesNotContain(SECRET);
    assertThat(retry.headers().firstValue("Location")).contains("/v1/payments/" + own);
    assertThat(pay(node, "k_3", "c_2").body()).as("of another customer").isEqualTo(other.body());
    assertThat(erase(stores, customer, false)).containsExactly("nothing to remove");
    assertThat(erase(stores, new Subject("another", false, "k_3"), false))
        .containsExactly("nothing to remove");

    assertThat(erase(stores, new Subject(TENANT, false, "k_3"), true)).isNotEmpty();
    assertThat(pay(node, "k_3", "c_2").statusCode()).isEqualTo(409);
    String id = new JsonObject(other.body()).getString("id");
    assertThat(payment(node, id).encode()).doesNotContain(SECRET, "c_2");
    assertThat(PaymentClient.booked(node)).isEqualTo(1);
  }

  private static StoreConfig config(
      StoreKind store, StoreKind ledger, Optional<Database> database, Optional<RedisServer> redis) {
    return new StoreConfig(
        store,
        ledger,
        database.map(it -> PostgresLocation.parse(it.uri())),
        Optional.empty(),
        40,
        redis.map(it -> RedisLocation.parse(it.uri())),
        false);
  }

  @Test
  void postgres() {
    Database database = RealServers.freshDatabase();
    LocalNode.migrate(database);
    try (TestPsp psp = new TestPsp();
        LocalNode node = LocalNode.overPostgres(database, psp.url(), "--replay-cache", "0")) {
      assertErased(
          node.url(),
          config(StoreKind.POSTGRES, StoreKind.POSTGRES, Optional.of(database), Optional.empty()));
    }
  }

  @Test
  void hybrid() {
    Database database = RealServers.freshDatabase();
    LocalNode.migrate(database);
    try (TestPsp psp = new TestPsp();
        RedisServer redis = RealServers.startRedis();
        LocalNode node = LocalNode.hybrid(redis, database, psp.url(), "--replay-cache", "0")) {
      assertErased(
          node.url(),
          config(StoreKind.REDIS, StoreKind.POSTGRES, Optional.of(database), Optional.of(redis)));
    }
  }

  @Test
  void redis() {
    try (TestPsp psp = new TestPsp();
        RedisServer redis = RealServers.startRedis();
        LocalNode node = LocalNode.overRedis(redis, psp.url(), "--replay-cache", "0")) {
      assertErased(
          node.url(),
          config(StoreKind.REDIS, StoreKind.REDIS, Optional.empty(), Optional.of(redis)));
    }
  }
}
