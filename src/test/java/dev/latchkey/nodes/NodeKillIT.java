package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Direction;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * A node is killed, or paused past its lease, between the charge at the PSP and its completion. The
 * other node runs throughout.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class NodeKillIT {

  private static final String LOST_LEASES = "latchkey_lost_leases_total";
  private static final String TAKEOVERS = "latchkey_takeovers_total";

  private NodesFixture fixture;
  private TestPsp psp;
  private CuttingProxy beforePsp;
  private LatchkeyProcess other;
  private LatchkeyProcess owner;
  private String key;
  private long chargesBefore;
  private long takeoversBefore;

  /** Starts the servers, empty. */
  abstract NodesFixture open();

  @BeforeAll
  void start() {
    psp = new TestPsp();
    beforePsp = CuttingProxy.before(psp.url());
    fixture = open();
    other = fixture.serve(psp.url(), "--lease", "2s");
  }

  @AfterAll
  void end() {
    other.close();
    fixture.close();
    beforePsp.close();
    psp.close();
  }

  @BeforeEach
  void startOwner(TestInfo test) {
    beforePsp.pass();
    URI throughProxy = URI.create("http://127.0.0.1:" + beforePsp.port());
    owner = fixture.serve(throughProxy, "--lease", "2s", "--psp-timeout", "8s");
    owner.readyLine();
    key = test.getTestMethod().orElseThrow().getName();
    chargesBefore = psp.charges();
    takeoversBefore = PaymentClient.metric(other.url(), TAKEOVERS);
  }

  @AfterEach
  void endOwner() {
    owner.close();
  }

  private CompletableFuture<HttpResponse<String>> pay(LatchkeyProcess node, String method) {
    return PaymentClient.pay(node.url(), key, method);
  }

  private void kill() {
    owner.signal("KILL");
    owner.exitCode();
    assertThat(PaymentClient.payments(other.url(), key)).isEmpty();
  }

  /** Sends a payment whose charge succeeds, but whose node never gets the PSP's response. */
  private void payWithLostPspResponse() {
    beforePsp.swallow(Direction.TO_CLIENT);
    pay(owner, PaymentClient.VISA);
    Await.until("the PSP has charged it", () -> psp.charges() > chargesBefore);
  }

  private void assertOneEffect(HttpResponse<String> response) {
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(PaymentClient.payments(other.url(), key))
        .containsExactly(new JsonObject(response.body()));
    assertThat(psp.charges() - chargesBefore).isEqualTo(1);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
    assertThat(fixture.events(key).orElse(1)).isEqualTo(1);
    JsonObject record = PaymentClient.record(other.url(), key);
    assertThat(record.getString("state")).isEqualTo("completed");
    // One attempt of each owner: nobody took the claim from the second.
    assertThat(record.getInteger("attempt")).isEqualTo(2);
    assertThat(PaymentClient.metric(other.url(), TAKEOVERS) - takeoversBefore).isEqualTo(1);
    assertThat(PaymentClient.metric(other.url(), LOST_LEASES)).isZero();
  }

  @Test
  void retryCompletesAfterTheOwnerWasKilled() {
    payWithLostPspResponse();
    kill();
    assertOneEffect(
        PaymentClient.untilPaid(
            pay(other, PaymentClient.VISA), other.url(), key, PaymentClient.VISA));
  }

  @Test
  void parkedWaiterTakesOverFromAKilledOwner() {
    payWithLostPspResponse();
    var parked = pay(other, PaymentClient.VISA);
    Await.until(
        "the duplicate is parked", () -> PaymentClient.metric(other.url(), "latchkey_parked") == 1);
    kill();
    // The parked request itself, without a retry.
    assertOneEffect(await(parked));
  }

  @Test
  void ownerPausedPastItsLeaseReturnsTheNewOwnersResponse() {
    String slow = "pm_slow_6000";
    var first = pay(owner, slow);
    PaymentClient.awaitClaim(owner.url(), 0);
    owner.signal("STOP");
    HttpResponse<String> taken = await(pay(other, slow));
    assertThat(first).isNotDone();
    owner.signal("CONT");
    HttpResponse<String> late = await(first);
    assertThat(late.statusCode()).isEqualTo(201);
    assertThat(late.body()).isEqualTo(taken.body());
    assertOneEffect(taken);
    assertThat(PaymentClient.metric(owner.url(), LOST_LEASES)).isEqualTo(1);
  }

  /** The slowest test, so subclasses opt in. */
  void pausedOwnerNeitherRenewsNorReleasesTheNewClaim() {
    // Both PSP calls end together after the owner resumes; the owner gets no response.
    String slow = "pm_slow_6000";
    beforePsp.swallow(Direction.TO_CLIENT);
    var first = pay(owner, slow);
    PaymentClient.awaitClaim(owner.url(), 0);
    owner.signal("STOP");
    var second = pay(other, slow);
    Await.until(
        "the key is taken over",
        () -> PaymentClient.metric(other.url(), TAKEOVERS) > takeoversBefore);
    owner.signal("CONT");
    Await.until(
        "the owner has lost its lease", () -> PaymentClient.metric(owner.url(), LOST_LEASES) == 1);
    HttpResponse<String> taken = await(second);
    HttpResponse<String> late = await(first);
    assertThat(late.statusCode()).isIn(201, 503);
    if (late.statusCode() == 201) {
      assertThat(late.body()).isEqualTo(taken.body());
    }
    assertOneEffect(taken);
    assertThat(await(pay(owner, slow)).body()).isEqualTo(taken.body());
  }
}
