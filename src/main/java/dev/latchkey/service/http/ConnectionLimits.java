package dev.latchkey.service.http;

import java.time.Duration;

/**
 * How long a connection may keep the server waiting.
 *
 * @param idle for the next whole request head, and for reading an answer
 * @param body for a request's whole body, from its head
 */
public record ConnectionLimits(Duration idle, Duration body) {

  /** Fit for clients that are slow but honest. */
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
