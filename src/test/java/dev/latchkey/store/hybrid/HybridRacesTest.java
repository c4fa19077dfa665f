package dev.latchkey.store.hybrid;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.PostgresNodes;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims whose results arrive late, while the key has or gets a receipt. */
class HybridRacesTest {

  private static final long LEASE_MILLIS = 1_000;

  private static PostgresNodes nodes;
  private static PostgresReceipts receipts;

  private final AtomicLong now = new AtomicLong(1_600_000_000_000L);
  private final ForgetfulClaims claims =
      ForgetfulClaims.create(() -> Instant.ofEpochMilli(now.get()));
  private final StoreCalls store = new StoreCalls(over(receipts));
  private final Attempt owner = Attempt.atNewKey();

  @BeforeAll
  static void openNodes() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.holdClock();
    receipts = nodes.openReceipts();
  }

  @AfterAll
  static void closeNodes() {
    nodes.close();
  }

  @BeforeEach
  void empty() {
    nodes.database.value("TRUNCATE latchkey_receipt");
  }

  private HybridStore over(Receipts kept) {
    return HybridStore.create(
        claims, kept, () -> TimeUnit.MILLISECONDS.toNanos(now.get()), ClaimRegistry.MAX_CLAIMS);
  }

  private void advanceMillis(long millis) {
    now.addAndGet(millis);
    nodes.advanceMillis(millis);
  }

  /** The receipts as they were before the commit of the owner, for the first read. */
  private static Receipts blindAtFirst() {
    AtomicBoolean looked = new AtomicBoolean();
    return (Receipts)
        Proxy.newProxyInstance(
            HybridRacesTest.class.getClassLoader(),
            new Class<?>[] {Receipts.class},
            (self, method, args) ->
                method.getName().equals("find") && !looked.getAndSet(true)
                    ? Future.succeededFuture(Optional.empty())
                    : method.invoke(receipts, args));
  }

  @Test
  void takeoverReadsTheReceiptsAgain() {
    Attempt slow = owner.withLease(LEASE_MILLIS);
    store.claimed(slow);
    claims.deaf(true);
    store.completed(slow);
    advanceMillis(LEASE_MILLIS);

    assertThat(await(over(blindAtFirst()).claim(slow.retried().request())))
        .isInstanceOf(ClaimResult.Completed.class);
  }

  @Test
  void slowGrantReadsTheReceiptsAgain() {
    store.claimed(owner);
    Expiry expiry = store.completed(owner);
    claims.forget();
    Attempt retried = owner.retried();
    claims.silent(true);
    Future<ClaimResult> claiming = over(blindAtFirst()).claim(retried.request());
    advanceMillis(HybridGrants.RECEIPT_VALID_MILLIS + 1);

    claims.silent(false);

    assertThat(await(claiming)).isInstanceOf(ClaimResult.Completed.class);
    advanceMillis(expiry.inMillis());
    assertThat(store.claimed(owner.otherRequest()).attempt()).isEqualTo(1);
  }

  @Test
  void releaseOfAClaimWithAReceiptDoesNotOvertakeItsRemoval() {
    store.claimed(owner);
    Expiry expiry = store.completed(owner);
    advanceMillis(60_000);
    claims.forget();
    claims.slow(true);
    Attempt orphaned = owner.retried();
    assertThat(store.claim(orphaned)).isInstanceOf(ClaimResult.Completed.class);

    assertThat(await(over(receipts).release(orphaned.claim()))).isEqualTo(ReleaseResult.LOST_LEASE);
    claims.slow(false);

    advanceMillis(expiry.inMillis() - 60_000);
    assertThat(store.claimed(owner.otherRequest()).attempt()).isEqualTo(1);
  }
}
