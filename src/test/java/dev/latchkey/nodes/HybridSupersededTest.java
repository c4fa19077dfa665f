package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Redis loses a claim during its PSP call, and another request executes under the same key. One of
 * the two gets the receipt. The charge of the other is in no ledger, so an operator must be able to
 * find it in the log.
 */
class HybridSupersededTest {

  private static final String KEY = "order 7";
  private static final String OTHER = "pm_slow_1";
  private static final String DISPLACED = "latchkey_discarded_total";
  private static final Pattern LOG_LINE =
      Pattern.compile("tenant=default psp_key=(\\S+) done=(\\S+) key=\"" + KEY + "\"$");

  private final TestPsp psp = new TestPsp();
  private final RedisServer redis = RealServers.startRedis();
  private final Database database = RealServers.freshDatabase();
  private LocalNode one;
  private LocalNode two;
  private LogRecorder log;

  @BeforeEach
  void start() {
    LocalNode.migrate(database);
    one = LocalNode.hybrid(redis, database, psp.url());
    two = LocalNode.hybrid(redis, database, psp.url());
    log = new LogRecorder();
  }

  @AfterEach
  void end() {
    log.close();
    one.close();
    two.close();
    redis.close();
    psp.close();
  }

  @Test
  void chargeOfTheFirstRequestIsLoggedIfTheSecondWins() {
    one.psp.shut();
    var first = PaymentClient.pay(one.url(), quoted(), PaymentClient.VISA);
    Await.until("the PSP has charged the first", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    HttpResponse<String> second = await(PaymentClient.pay(two.url(), quoted(), OTHER));
    one.psp.open();

    assertRejected(await(first));
    assertBooked(second);
    assertChargeLogged(one, second);
    assertThat(PaymentClient.metric(two.url(), DISPLACED)).isZero();
  }

  @Test
  void chargeOfTheSecondRequestIsLoggedIfTheFirstWins() {
    one.psp.shut();
    two.psp.shut();
    var first = PaymentClient.pay(one.url(), quoted(), PaymentClient.VISA);
    Await.until("the PSP has charged the first", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    var second = PaymentClient.pay(two.url(), quoted(), OTHER);
    Await.until("the PSP has charged the other", () -> two.psp.held() == 1);
    one.psp.open();
    HttpResponse<String> booked = await(first);
    two.psp.open();

    assertRejected(await(second));
    assertBooked(booked);
    assertChargeLogged(two, booked);
    assertThat(PaymentClient.metric(one.url(), DISPLACED)).isZero();
  }

  @Test
  void pspKeyIsLoggedIfTheOutcomeIsUnknown() {
    one.psp.shut();
    one.psp.refuseNext();
    var first = PaymentClient.pay(one.url(), quoted(), PaymentClient.VISA);
    Await.until("the PSP was called", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    HttpResponse<String> second = await(PaymentClient.pay(two.url(), quoted(), OTHER));
    one.psp.open();

    assertRejected(await(first));
    assertBooked(second);
    Matcher logged = assertLogged(one);
    assertThat(logged.group(2)).isEqualTo("unknown");
    assertThat(chargesUnder(logged.group(1))).isEmpty();
  }

  @Test
  void sameRequestUsesTheLoggedChargeOnceItsKeyIsFree() {
    one.psp.shut();
    var first = PaymentClient.pay(one.url(), quoted(), PaymentClient.VISA);
    Await.until("the PSP has charged the first", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    assertBooked(await(PaymentClient.pay(two.url(), quoted(), OTHER)));
    one.psp.open();
    assertRejected(await(first));

    // Like an expired key.
    redis.command("FLUSHALL");
    database.value("DELETE FROM latchkey_receipt");
    HttpResponse<String> again = await(PaymentClient.pay(one.url(), quoted(), PaymentClient.VISA));

    assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
    assertThat("charge:" + new JsonObject(again.body()).getString("psp_charge"))
        .isEqualTo(assertLogged(one).group(2));
    assertThat(psp.charges()).isEqualTo(2);
  }

  private static String quoted() {
    return '"' + KEY + '"';
  }

  private static void assertRejected(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
  }

  private void assertBooked(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    assertThat(new DatabaseRows(database).payments(KEY)).isEqualTo(1);
  }

  /** The log names the charge without a payment and its key at the PSP. */
  private void assertChargeLogged(LocalNode superseded, HttpResponse<String> booked) {
    Matcher logged = assertLogged(superseded);
    List<JsonObject> charges = chargesUnder(logged.group(1));
    assertThat(charges).hasSize(1);
    JsonObject orphan = charges.get(0);
    assertThat(logged.group(2)).isEqualTo("charge:" + orphan.getString("id"));
    assertThat(orphan.getString("status")).isEqualTo("captured");
    assertThat(orphan.getString("id"))
        .isNotEqualTo(new JsonObject(booked.body()).getString("psp_charge"));
    assertThat(psp.charges()).as("only one charge has no payment").isEqualTo(2);
  }

  private Matcher assertLogged(LocalNode superseded) {
    assertThat(PaymentClient.metric(superseded.url(), DISPLACED)).isEqualTo(1);
    assertThat(log.lines())
        .filteredOn(line -> line.contains("another request took the key"))
        .singleElement()
        .asString()
        .startsWith("WARN ")
        .endsWith("tenant=default key=\"" + KEY + "\" route=\"POST /v1/payments\"");
    List<Matcher> matches =
        log.lines().stream()
            .filter(line -> line.startsWith("WARN "))
            .map(LOG_LINE::matcher)
            .filter(Matcher::find)
            .toList();
    assertThat(matches).as("%s", log.lines()).hasSize(1);
    return matches.get(0);
  }

  private List<JsonObject> chargesUnder(String pspKey) {
    JsonArray data =
        new JsonObject(PaymentClient.get(psp.url(), "/charges?idempotency_key=" + pspKey).body())
            .getJsonArray("data");
    return data.stream().map(JsonObject.class::cast).toList();
  }
}
