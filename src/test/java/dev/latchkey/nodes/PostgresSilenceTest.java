package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.store.ForwardingStore;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * All connections of a node fall silent while duplicates on it wait for another node's attempt. The
 * notification is lost; the probe of the listening connection detects this.
 */
class PostgresSilenceTest {

  private static final String KEY = "awaited";
  private static final int WAITERS = 20;

  /** The lease does not end during the test, and a wait that ends first gets 409. */
  private static final String[] LONG_LEASE = {
    "--lease", "30m", "--run-limit", "1h", "--wait", "40s"
  };

  private final TestPsp psp = new TestPsp();
  private final Database database = RealServers.freshDatabase();
  private final DatabaseRows rows = new DatabaseRows(database);
  private final CuttingProxy proxy = CuttingProxy.before(database);
  private LocalNode owner;
  private LocalNode waiter;

  @BeforeEach
  void start() {
    LocalNode.migrate(database);
    owner = LocalNode.overPostgres(database, psp.url(), LONG_LEASE);
    waiter =
        LocalNode.overPostgres(
            proxy.through(database), PostgresSilenceTest::withoutPurges, psp.url(), LONG_LEASE);
  }

  @AfterEach
  void end() {
    // First, because a silent connection does not close.
    proxy.close();
    owner.close();
    waiter.close();
    psp.close();
  }

  /** A purge of expired keys could detect the silence by chance. */
  private static IdempotencyStore withoutPurges(IdempotencyStore store) {
    return new ForwardingStore(store) {
      @Override
      public Future<PurgeResult> purgeExpired(int limit) {
        return Future.succeededFuture(PurgeResult.NONE);
      }
    };
  }

  @Test
  void waitersBehindSilentConnectionsGetTheResponseBeforeTheLeaseEnds() {
    owner.psp.shut();
    var first = PaymentClient.pay(owner.url(), KEY, PaymentClient.VISA);
    Await.until("the PSP was called", () -> owner.psp.held() == 1);
    List<CompletableFuture<HttpResponse<String>>> waiting =
        Stream.generate(() -> PaymentClient.pay(waiter.url(), KEY, PaymentClient.VISA))
            .limit(WAITERS)
            .toList();
    Await.until("all are parked", () -> waiter.parked() == WAITERS);
    Await.until("the node has read the key", () -> completed("SELECT fingerprint") > 0);

    long leaseEnds = rows.number("SELECT lease_until_millis FROM latchkey_key");
    proxy.silenceAll();
    owner.psp.open();

    HttpResponse<String> stored = await(first);
    assertThat(stored.statusCode()).as(stored.body()).isEqualTo(201);
    for (CompletableFuture<HttpResponse<String>> one : waiting) {
      HttpResponse<String> response = await(one);
      assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
      assertThat(response.body()).isEqualTo(stored.body());
      assertThat(response.headers().firstValue("Idempotent-Replayed")).contains("true");
    }
    assertThat(rows.number("SELECT latchkey_now()")).isLessThan(leaseEnds);
    assertThat(PaymentClient.metric(waiter.url(), "latchkey_takeovers_total")).isZero();
    assertThat(rows.payments(KEY)).isEqualTo(1);
    assertThat(psp.charges()).isEqualTo(1);
  }

  private long completed(String sql) {
    return proxy.trace().stream().filter(it -> it.type() == 'C' && it.sql().contains(sql)).count();
  }
}
