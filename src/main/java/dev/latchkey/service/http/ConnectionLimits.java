package dev.latchkey.service.http;

import java.time.Duration;

/**
 * Limits for slow clients.
 *
 * @param idle for the next complete request head, and for reading a response
 * @param body for the complete body of a request, from its head
 */
public record ConnectionLimits(Duration idle, Duration body) {

  /** Limits for the public port. */
  public static final ConnectionLimits DEFAULT =
      new ConnectionLimits(Duration.ofSeconds(60), Duration.ofSeconds(30));

  long idleNanos() {
    return idle.toNanos();
  }

  long bodyNanos() {
    return body.toNanos();
  }

  long checkNanos() {
    return Math.max(1, Math.min(idle.toNanos(), body.toNanos()) / 2);
  }
}
