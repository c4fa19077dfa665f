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
 * A node dies, or sleeps past its lease, between the charge at the PSP and its own completion. The
 * other node lives through all tests.
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
    takeoversBefore = Payer.metric(other.url(), TAKEOVERS);
  }

  @AfterEach
  void endOwner() {
    owner.close();
  }

  private CompletableFuture<HttpResponse<String>> begin(LatchkeyProcess node, String method) {
    return Payer.pay(node.url(), key, method);
  }

  private void kill() {
    owner.signal("KILL");
    owner.exitCode();
    assertThat(Payer.payments(other.url(), key)).isEmpty();
  }

  /** Begins a payment whose money has moved, which its node never hears of. */
  private void beginUnheard() {
    beforePsp.swallow(Direction.TO_CLIENT);
    begin(owner, Payer.VISA);
    Await.until("its money has moved", () -> psp.charges() > chargesBefore);
  }

  private void assertOneEffect(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(Payer.payments(other.url(), key)).containsExactly(new JsonObject(answer.body()));
    assertThat(psp.charges() - chargesBefore).isEqualTo(1);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
    assertThat(fixture.events(key).orElse(1)).isEqualTo(1);
    JsonObject record = Payer.record(other.url(), key);
    assertThat(record.getString("state")).isEqualTo("completed");
    // The first owner's and the thief's: nobody took the claim from the thief.
    assertThat(record.getInteger("attempt")).isEqualTo(2);
    assertThat(Payer.metric(other.url(), TAKEOVERS) - takeoversBefore).isEqualTo(1);
    assertThat(Payer.metric(other.url(), LOST_LEASES)).isZero();
  }

  @Test
  void theNextAttemptFinishesWhatAKilledNodeBegan() {
    beginUnheard();
    kill();
    assertOneEffect(Payer.untilPaid(begin(other, Payer.VISA), other.url(), key, Payer.VISA));
  }

  @Test
  void aParkedWaiterFinishesWhatAKilledNodeBegan() {
    beginUnheard();
    var parked = begin(other, Payer.VISA);
    Await.until("it waits", () -> Payer.metric(other.url(), "latchkey_parked") == 1);
    kill();
    // The very request that waited; nobody tries again.
    assertOneEffect(await(parked));
  }

  @Test
  void anOwnerThatSleptPastItsLeaseAnswersWithTheNewOwnersResult() {
    String slow = "pm_slow_6000";
    var first = begin(owner, slow);
    Payer.awaitClaim(owner.url(), 0);
    owner.signal("STOP");
    HttpResponse<String> taken = await(begin(other, slow));
    assertThat(first).isNotDone();
    owner.signal("CONT");
    HttpResponse<String> late = await(first);
    assertThat(late.statusCode()).isEqualTo(201);
    assertThat(late.body()).isEqualTo(taken.body());
    assertOneEffect(taken);
    assertThat(Payer.metric(owner.url(), LOST_LEASES)).isEqualTo(1);
  }

  /** Takes longest, so that a subclass says whether it is a test. */
  void anOwnerThatSleptNeitherRenewsNorReleasesTheNewOwnersClaim() {
    // Both calls end together, seconds after the owner is back; it does not hear of it, and gives
    // up.
    String slow = "pm_slow_6000";
    beforePsp.swallow(Direction.TO_CLIENT);
    var first = begin(owner, slow);
    Payer.awaitClaim(owner.url(), 0);
    owner.signal("STOP");
    var second = begin(other, slow);
    Await.until("it is taken over", () -> Payer.metric(other.url(), TAKEOVERS) > takeoversBefore);
    owner.signal("CONT");
    Await.until("it is fenced out", () -> Payer.metric(owner.url(), LOST_LEASES) == 1);
    HttpResponse<String> taken = await(second);
    HttpResponse<String> late = await(first);
    assertThat(late.statusCode()).isIn(201, 503);
    if (late.statusCode() == 201) {
      assertThat(late.body()).isEqualTo(taken.body());
    }
    assertOneEffect(taken);
    assertThat(await(begin(owner, slow)).body()).isEqualTo(taken.body());
  }
}
