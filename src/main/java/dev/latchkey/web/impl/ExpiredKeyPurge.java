package dev.latchkey.web.impl;

import dev.latchkey.core.spi.IdempotencyStore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes expired keys in the background, in batches, until the node is closed. Thread-safe. */
final class ExpiredKeyPurge {

  private static final Logger LOG = LoggerFactory.getLogger(ExpiredKeyPurge.class);
  private static final int BATCH = 1_000;
  private static final long NO_PAUSE_MILLIS = 1;

  private final IdempotencyStore store;
  private final VertxEnvironment environment;
  private final long pauseMillis;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean failing;

  ExpiredKeyPurge(IdempotencyStore store, VertxEnvironment environment, long pauseMillis) {
    this.store = store;
    this.environment = environment;
    this.pauseMillis = pauseMillis;
  }

  void start() {
    if (started.compareAndSet(false, true)) {
      purgeAfter(pauseMillis);
    }
  }

  private void purgeAfter(long millis) {
    environment.after(millis, this::purge);
  }

  private void purge() {
    store
        .purgeExpired(BATCH)
        .onComplete(
            result -> {
              failing = false;
              purgeAfter(result.moreRemain() ? NO_PAUSE_MILLIS : pauseMillis);
            },
            failure -> {
              if (!failing) {
                LOG.warn("Purging expired keys failed; will retry: {}", failure.getMessage());
              }
              failing = true;
              purgeAfter(pauseMillis);
            });
  }
}
