package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.server.LatchkeyProcess;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Direction;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node dies, or sleeps past its lease, between the charge at the PSP and its own completion. */
class RedisNodeKillIT {

  private static final String KEY = "orphan";
  private static final String LOST_LEASES = "latchkey_lost_leases_total";
  private static final String TAKEOVERS = "latchkey_takeovers_total";

  private final TestPsp psp = new TestPsp();
  private final RedisServer server = RealServers.startRedis();
  private final KeyHashes hashes = new KeyHashes(server);
  private final CuttingProxy beforeRedis = CuttingProxy.before(server);
  private final CuttingProxy beforePsp = CuttingProxy.before(psp.url());
  private LatchkeyProcess owner;
  private LatchkeyProcess other;

  @BeforeEach
  void start() {
    owner =
        RedisNodes.serve(
            "redis://127.0.0.1:" + beforeRedis.port() + "/0",
            URI.create("http://127.0.0.1:" + beforePsp.port()),
            "--lease",
            "2s",
            "--psp-timeout",
            "4s");
    other = RedisNodes.serve(server.uri(), psp.url(), "--lease", "2s");
    owner.readyLine();
    other.readyLine();
  }

  @AfterEach
  void end() {
    owner.close();
    other.close();
    beforeRedis.close();
    beforePsp.close();
    psp.close();
    server.close();
  }

  private CompletableFuture<HttpResponse<String>> begin(LatchkeyProcess node, String method) {
    return Payer.pay(node.url(), KEY, method);
  }

  private void kill() {
    owner.signal("KILL");
    owner.exitCode();
    assertThat(RedisNodes.payments(other.url(), KEY)).isEmpty();
  }

  private void assertOneEffect(String body) {
    assertThat(RedisNodes.payments(other.url(), KEY)).containsExactly(new JsonObject(body));
    assertThat(psp.charges()).isEqualTo(1);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
    JsonObject record = RedisNodes.record(other.url(), KEY);
    assertThat(record.getString("state")).isEqualTo("completed");
    // The first owner's and the thief's: nobody took the claim from the thief.
    assertThat(record.getInteger("attempt")).isEqualTo(2);
    assertThat(Payer.metric(other.url(), TAKEOVERS)).isEqualTo(1);
    assertThat(Payer.metric(other.url(), LOST_LEASES)).isZero();
  }

  @Test
  void theNextAttemptFinishesWhatAKilledNodeBegan() {
    String method = "pm_slow_1500";
    begin(owner, method);
    Polling.until("it runs", () -> hashes.isClaimed(KEY));
    // Its completion is sent, and does not arrive.
    beforeRedis.swallow(Direction.TO_SERVER);
    Polling.until("its money has moved", () -> psp.charges() == 1);
    kill();
    assertOneEffect(Payer.untilPaid(begin(other, method), other.url(), KEY, method).body());
  }

  @Test
  void aParkedWaiterFinishesWhatAKilledNodeBegan() {
    beforePsp.swallow(Direction.TO_CLIENT);
    begin(owner, Payer.VISA);
    Polling.until("its money has moved", () -> psp.charges() == 1);
    var parked = begin(other, Payer.VISA);
    Polling.until("it waits", () -> Payer.metric(other.url(), "latchkey_parked") == 1);
    kill();
    // The very request that waited; nobody tries again.
    HttpResponse<String> answer = Polling.await(parked);
    assertThat(answer.statusCode()).isEqualTo(201);
    assertOneEffect(answer.body());
  }

  @Test
  void anOwnerThatSleptPastItsLeaseAnswersWithTheNewOwnersResult() {
    String slow = "pm_slow_1000";
    var first = begin(owner, slow);
    Polling.until("it runs", () -> hashes.isClaimed(KEY));
    owner.signal("STOP");
    HttpResponse<String> taken = Polling.await(begin(other, slow));
    assertThat(taken.statusCode()).isEqualTo(201);
    assertThat(first).isNotDone();
    owner.signal("CONT");
    HttpResponse<String> late = Polling.await(first);
    assertThat(late.statusCode()).isEqualTo(201);
    assertThat(late.body()).isEqualTo(taken.body());
    assertOneEffect(taken.body());
    assertThat(Payer.metric(owner.url(), LOST_LEASES)).isEqualTo(1);
  }

  @Test
  void anOwnerThatSleptNeitherRenewsNorReleasesTheNewOwnersClaim() {
    // Both calls end together, seconds after the owner is back; it does not hear of it, and gives
    // up.
    String slow = "pm_slow_6000";
    beforePsp.swallow(Direction.TO_CLIENT);
    var first = begin(owner, slow);
    Polling.until("it runs", () -> hashes.isClaimed(KEY));
    owner.signal("STOP");
    var second = begin(other, slow);
    Polling.until("it is taken over", () -> Payer.metric(other.url(), TAKEOVERS) == 1);
    owner.signal("CONT");
    Polling.until("it is fenced out", () -> Payer.metric(owner.url(), LOST_LEASES) == 1);
    HttpResponse<String> taken = Polling.await(second);
    assertThat(taken.statusCode()).isEqualTo(201);
    HttpResponse<String> late = Polling.await(first);
    assertThat(late.statusCode()).isIn(201, 503);
    if (late.statusCode() == 201) {
      assertThat(late.body()).isEqualTo(taken.body());
    }
    assertOneEffect(taken.body());
    HttpResponse<String> again = Polling.await(begin(owner, slow));
    assertThat(again.body()).isEqualTo(taken.body());
  }
}
