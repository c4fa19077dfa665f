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
 * Redis forgets a claim while its request is with the PSP, and another request is run under the
 * same key: one of the two gets the receipt. What the other did at the PSP is in no books, and an
 * operator has to be able to find it.
 */
class HybridDisplacementTest {

  private static final String KEY = "order 7";
  private static final String OTHER = "pm_slow_1";
  private static final String DISPLACED = "latchkey_displaced_total";
  private static final Pattern TRAIL =
      Pattern.compile("tenant=default psp_key=(\\S+) done=(\\S+) key=" + KEY + "$");

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
  void theChargeOfTheFirstRequestIsNamedWhenTheSecondIsBooked() {
    one.psp.shut();
    var first = Payer.pay(one.url(), quoted(), Payer.VISA);
    Await.until("the PSP has charged it", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    HttpResponse<String> second = await(Payer.pay(two.url(), quoted(), OTHER));
    one.psp.open();

    assertRefused(await(first));
    assertBooked(second);
    assertNamed(one, second);
    assertThat(Payer.metric(two.url(), DISPLACED)).isZero();
  }

  @Test
  void theChargeOfTheSecondRequestIsNamedWhenTheFirstIsBooked() {
    one.psp.shut();
    two.psp.shut();
    var first = Payer.pay(one.url(), quoted(), Payer.VISA);
    Await.until("the PSP has charged it", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    var second = Payer.pay(two.url(), quoted(), OTHER);
    Await.until("the PSP has charged the other", () -> two.psp.held() == 1);
    one.psp.open();
    HttpResponse<String> booked = await(first);
    two.psp.open();

    assertRefused(await(second));
    assertBooked(booked);
    assertNamed(two, booked);
    assertThat(Payer.metric(one.url(), DISPLACED)).isZero();
  }

  @Test
  void theKeyAtThePspIsNamedWhenNobodyKnowsWhatItDid() {
    one.psp.shut();
    one.psp.refuseNext();
    var first = Payer.pay(one.url(), quoted(), Payer.VISA);
    Await.until("the PSP was asked", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    HttpResponse<String> second = await(Payer.pay(two.url(), quoted(), OTHER));
    one.psp.open();

    assertRefused(await(first));
    assertBooked(second);
    Matcher trail = assertTold(one);
    assertThat(trail.group(2)).isEqualTo("unknown");
    assertThat(chargesUnder(trail.group(1))).isEmpty();
  }

  @Test
  void theSameRequestIsBookedWithThatChargeOnceItsKeyIsFree() {
    one.psp.shut();
    var first = Payer.pay(one.url(), quoted(), Payer.VISA);
    Await.until("the PSP has charged it", () -> one.psp.held() == 1);
    redis.command("FLUSHALL");
    assertBooked(await(Payer.pay(two.url(), quoted(), OTHER)));
    one.psp.open();
    assertRefused(await(first));

    // As when the key has expired.
    redis.command("FLUSHALL");
    database.value("DELETE FROM latchkey_receipt");
    HttpResponse<String> again = await(Payer.pay(one.url(), quoted(), Payer.VISA));

    assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
    assertThat("charge:" + new JsonObject(again.body()).getString("psp_charge"))
        .isEqualTo(assertTold(one).group(2));
    assertThat(psp.charges()).isEqualTo(2);
  }

  private static String quoted() {
    return '"' + KEY + '"';
  }

  private static void assertRefused(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
  }

  private void assertBooked(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(new KeyRows(database).payments(KEY)).isEqualTo(1);
  }

  /** What a person needs who looks after the money: which charge, and under which key. */
  private void assertNamed(LocalNode loser, HttpResponse<String> booked) {
    Matcher trail = assertTold(loser);
    List<JsonObject> charges = chargesUnder(trail.group(1));
    assertThat(charges).hasSize(1);
    JsonObject orphan = charges.get(0);
    assertThat(trail.group(2)).isEqualTo("charge:" + orphan.getString("id"));
    assertThat(orphan.getString("status")).isEqualTo("captured");
    assertThat(orphan.getString("id"))
        .isNotEqualTo(new JsonObject(booked.body()).getString("psp_charge"));
    assertThat(psp.charges()).as("it is the only one in no books").isEqualTo(2);
  }

  private Matcher assertTold(LocalNode loser) {
    assertThat(Payer.metric(loser.url(), DISPLACED)).isEqualTo(1);
    assertThat(log.lines())
        .filteredOn(line -> line.contains("another request has its key"))
        .singleElement()
        .asString()
        .startsWith("WARN ")
        .endsWith("tenant=default key=\"" + KEY + "\" route=\"POST /v1/payments\"");
    List<Matcher> trails =
        log.lines().stream()
            .filter(line -> line.startsWith("WARN "))
            .map(TRAIL::matcher)
            .filter(Matcher::find)
            .toList();
    assertThat(trails).as("%s", log.lines()).hasSize(1);
    return trails.get(0);
  }

  private List<JsonObject> chargesUnder(String pspKey) {
    JsonArray data =
        new JsonObject(Payer.get(psp.url(), "/charges?idempotency_key=" + pspKey).body())
            .getJsonArray("data");
    return data.stream().map(JsonObject.class::cast).toList();
  }
}
