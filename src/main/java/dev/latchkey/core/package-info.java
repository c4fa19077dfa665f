/**
 * The engine of the idempotency layer: claims, parks, watches, takes over, completes and resolves
 * keys. It knows nothing of HTTP, owns no thread and reads no clock. Everything external comes
 * through {@link dev.latchkey.core.Environment}, {@link dev.latchkey.core.EventLoop} and the store.
 *
 * <p>Reading order: {@code IdempotencyEngine} (a request arrives), {@code Claimer}, {@code
 * AttemptFinisher}, {@code LostLeaseHandler}, {@code OrphanedClaimReleaser}, {@code KeyWatcher},
 * {@code ParkingLot}, {@code AttemptMonitor}. {@code KeyEntry} and {@code Attempt} hold the state.
 */
@NullMarked
package dev.latchkey.core;

import org.jspecify.annotations.NullMarked;
