package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records, purging and metering of a node. */
class IdempotencyNodeTest {

  private static final long RETENTION_MILLIS = 60_000;

  private final AtomicLong nowMillis = new AtomicLong(1_000);
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final IdempotencyListener listener =
      new IdempotencyListener() {
        @Override
        public void storeCalled(String operation, StoreCall result, long nanos) {
          calls.add(operation);
        }
      };
  private final MemoryStore store =
      MemoryStore.create(
          new MemoryBudget(1 << 30),
          EffectTarget.NONE,
          () -> Instant.ofEpochMilli(nowMillis.get()));
  private final Vertx vertx = TestVertx.create();
  private final IdempotencyNode node =
      IdempotencyNode.create(vertx, store, new NodeOptions().setPurgeIntervalMillis(5), listener);

  @AfterEach
  void close() throws Exception {
    node.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void recordsAreListedPerTenantAndKeyUpToTheLimit() {
    for (int i = 0; i <= IdempotencyNode.MAX_RECORDS; i++) {
      claim(new ScopedKey("acme", "POST /" + i, "k"));
    }
    calls.clear();

    List<KeyRecord> records = node.records("acme", "k").result();

    assertThat(records).hasSize(IdempotencyNode.MAX_RECORDS);
    assertThat(records.get(0).key().route()).isEqualTo("POST /0");
    assertThat(node.records("other", "k").result()).isEmpty();
    assertThat(node.records("acme", "l").result()).isEmpty();
    assertThat(calls).containsExactly("records", "records", "records");
  }

  @Test
  void invalidKeyHasNoRecordsWithoutAStoreCall() {
    for (String text : List.of("", "k".repeat(256), "a\u0000", "\u00e4", "a\n")) {
      assertThat(node.records("acme", text).result()).isEmpty();
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void expiredKeysArePurgedInBatches() {
    for (int i = 0; i < 3; i++) {
      claim(new ScopedKey("acme", "POST /", "k" + i));
    }
    nowMillis.addAndGet(2 * RETENTION_MILLIS);

    assertThat(node.purgeExpired(2).result()).isEqualTo(new PurgeResult(2, true));
    assertThat(node.purgeExpired(2).result()).isEqualTo(new PurgeResult(1, false));
    assertThat(calls).containsExactly("purgeExpired", "purgeExpired");
  }

  @Test
  void backgroundPurgeRunsUntilTheNodeIsClosed() {
    for (int i = 0; i < 2_500; i++) {
      claim(new ScopedKey("acme", "POST /", "k" + i));
    }
    nowMillis.addAndGet(2 * RETENTION_MILLIS);
    assertThat(node.startPurging().startPurging()).isSameAs(node);
    Await.until("three batches are purged", () -> calls.size() > 3);
    assertThat(store.purgeExpired(1).result()).isEqualTo(PurgeResult.NONE);

    node.close();
    claim(new ScopedKey("acme", "POST /", "late"));
    nowMillis.addAndGet(2 * RETENTION_MILLIS);
    Await.await(vertx.timer(50));
    assertThat(store.purgeExpired(10).result()).isEqualTo(new PurgeResult(1, false));
  }

  private void claim(ScopedKey key) {
    Claim claim =
        new Claim(key, Fingerprint.of(new byte[Fingerprint.HASH_BYTES]), new Token(1, 2), 10_000);
    ClaimRequest request =
        new ClaimRequest(claim, RETENTION_MILLIS, ClaimRequest.Mode.ARRIVAL, false);
    assertThat(store.claim(request).result()).isInstanceOf(ClaimResult.Claimed.class);
  }
}
