package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.IdempotencyStore;
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
 * All connections of a node die without a word while duplicates wait on it for another node's run.
 * The news of its end is lost with them; what finds that out is the probe of the connection that
 * listens.
 */
class PostgresSilenceTest {

  private static final String KEY = "awaited";
  private static final int WAITERS = 20;

  /** The end of such a lease is no way out, and a wait that ends before it is 409. */
  private static final String[] LONG_LEASE = {
    "--lease", "30m", "--run-limit", "1h", "--wait", "40s"
  };

  private final TestPsp psp = new TestPsp();
  private final Database database = RealServers.freshDatabase();
  private final KeyRows rows = new KeyRows(database);
  private final CuttingProxy proxy = CuttingProxy.before(database);
  private LocalNode owner;
  private LocalNode waiter;

  @BeforeEach
  void start() {
    LocalNode.migrate(database);
    owner = LocalNode.overPostgres(database, psp.url(), LONG_LEASE);
    waiter =
        LocalNode.overPostgres(
            proxy.through(database),
            PostgresSilenceTest::withoutHousekeeping,
            psp.url(),
            LONG_LEASE);
  }

  @AfterEach
  void end() {
    // First, since a silent connection does not close.
    proxy.close();
    owner.close();
    waiter.close();
    psp.close();
  }

  /** The purge of expired keys would meet the silence too, by chance and later. */
  private static IdempotencyStore withoutHousekeeping(IdempotencyStore store) {
    return new ForwardingStore(store) {
      @Override
      public Future<Integer> purgeExpired(int limit) {
        return Future.succeededFuture(0);
      }
    };
  }

  @Test
  void thoseWhoWaitAreAnsweredLongBeforeTheLeaseEnds() {
    owner.psp.shut();
    var first = Payer.pay(owner.url(), KEY, Payer.VISA);
    Await.until("the PSP was asked", () -> owner.psp.held() == 1);
    List<CompletableFuture<HttpResponse<String>>> waiting =
        Stream.generate(() -> Payer.pay(waiter.url(), KEY, Payer.VISA)).limit(WAITERS).toList();
    Await.until("all wait", () -> waiter.parked() == WAITERS);
    Await.until("the node has nothing more to ask", () -> answered("SELECT fingerprint") > 0);

    long leaseEnds = rows.number("SELECT lease_until_millis FROM latchkey_key");
    proxy.silenceAll();
    owner.psp.open();

    HttpResponse<String> stored = await(first);
    assertThat(stored.statusCode()).as(stored.body()).isEqualTo(201);
    for (CompletableFuture<HttpResponse<String>> one : waiting) {
      HttpResponse<String> answer = await(one);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      assertThat(answer.body()).isEqualTo(stored.body());
      assertThat(answer.headers().firstValue("Idempotent-Replayed")).contains("true");
    }
    assertThat(rows.number("SELECT latchkey_now()")).isLessThan(leaseEnds);
    assertThat(Payer.metric(waiter.url(), "latchkey_takeovers_total")).isZero();
    assertThat(rows.payments(KEY)).isEqualTo(1);
    assertThat(psp.charges()).isEqualTo(1);
  }

  private long answered(String sql) {
    return proxy.trace().stream().filter(it -> it.type() == 'C' && it.sql().contains(sql)).count();
  }
}
