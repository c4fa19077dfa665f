package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.server.LatchkeyProcess;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.CuttingProxy.Action;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node dies, or sleeps past its lease, between the charge at the PSP and its own commit. */
class PostgresNodeKillIT {

  private static final String KEY = "orphan";

  private final TestPsp psp = new TestPsp();
  private final Database database = RealServers.freshDatabase();
  private final KeyRows rows = new KeyRows(database);
  private final CuttingProxy proxy = CuttingProxy.before(database);
  private LatchkeyProcess owner;
  private LatchkeyProcess other;

  @BeforeEach
  void start() {
    owner = node(proxy.through(database));
    other = node(database);
    owner.readyLine();
    other.readyLine();
  }

  private LatchkeyProcess node(Database by) {
    return LatchkeyProcess.start(
        Map.of("LATCHKEY_POSTGRES_URI", by.uri()),
        "serve",
        "--port",
        "0",
        "--store",
        "postgres",
        "--lease",
        "2s",
        "--psp-url",
        psp.url().toString());
  }

  @AfterEach
  void end() {
    owner.close();
    other.close();
    proxy.close();
    psp.close();
  }

  private CompletableFuture<HttpResponse<String>> begin(LatchkeyProcess node, String method) {
    return Payer.pay(node.url(), KEY, method);
  }

  private String paid(LatchkeyProcess node, CompletableFuture<HttpResponse<String>> begun) {
    return Payer.untilPaid(begun, node.url(), KEY, Payer.VISA).body();
  }

  private void assertOneEffect() {
    assertThat(rows.payments(KEY)).isEqualTo(1);
    assertThat(psp.charges()).isEqualTo(1);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
  }

  /** Begins a payment whose money has moved and whose commit does not reach the database. */
  private void killBeforeCommit(Runnable beforeTheKill) {
    CompletableFuture<PgMessage> held =
        proxy.at(message -> message.runs("ledger_payments"), 1, Action.SILENCE_BEFORE);
    begin(owner, Payer.VISA);
    Polling.await(held);
    assertThat(psp.charges()).isEqualTo(1);
    beforeTheKill.run();
    owner.signal("KILL");
    owner.exitCode();
    assertThat(rows.payments(KEY)).isZero();
  }

  @Test
  void theNextAttemptFinishesWhatAKilledNodeBegan() {
    killBeforeCommit(() -> {});
    paid(other, begin(other, Payer.VISA));
    assertOneEffect();
    assertThat(Payer.metric(other.url(), "latchkey_takeovers_total")).isEqualTo(1);
  }

  @Test
  void aParkedWaiterFinishesWhatAKilledNodeBegan() {
    CompletableFuture<CompletableFuture<HttpResponse<String>>> parked = new CompletableFuture<>();
    killBeforeCommit(
        () -> {
          parked.complete(begin(other, Payer.VISA));
          Polling.until("it waits", () -> rows.isAwaited(KEY));
        });
    // The very request that waited; nobody tries again.
    HttpResponse<String> answer = Polling.await(Polling.await(parked));
    assertThat(answer.statusCode()).isEqualTo(201);
    assertOneEffect();
  }

  @Test
  void anOwnerThatSleptPastItsLeaseAnswersWithTheNewOwnersResult() {
    String slow = "pm_slow_1000";
    var first = begin(owner, slow);
    Polling.until("it runs", () -> rows.isClaimed(KEY));
    owner.signal("STOP");
    var second = begin(other, slow);
    HttpResponse<String> taken = Polling.await(second);
    assertThat(taken.statusCode()).isEqualTo(201);
    assertThat(first).isNotDone();
    owner.signal("CONT");
    HttpResponse<String> late = Polling.await(first);
    assertThat(late.statusCode()).isEqualTo(201);
    assertThat(late.body()).isEqualTo(taken.body());
    assertOneEffect();
    assertThat(rows.number("SELECT count(*) FROM outbox_events")).isEqualTo(1);
    assertThat(Payer.metric(other.url(), "latchkey_takeovers_total")).isEqualTo(1);
    assertThat(Payer.metric(owner.url(), "latchkey_lost_leases_total")).isEqualTo(1);
  }
}
