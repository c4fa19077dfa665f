package dev.latchkey.net;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Logs the outage of a server: one line when the first connection is lost and one when the last is
 * back, however many connections and attempts it costs. Safe for use by any thread.
 */
public final class Outage {

  private final Logger log;
  private final Set<Object> lost = Collections.newSetFromMap(new IdentityHashMap<>());
  private String server = "";
  private long sinceNanos;

  /**
   * Makes an outage that has not begun.
   *
   * @param log receives the two lines
   */
  public Outage(Logger log) {
    this.log = log;
  }

  /**
   * A connection is lost or could not be made.
   *
   * @param connection identifies it until it is back
   * @param server name and address for the log
   * @param reason why, without secrets
   */
  public void lost(Object connection, String server, String reason) {
    synchronized (this) {
      boolean known = !lost.isEmpty();
      lost.add(connection);
      if (known) {
        return;
      }
      this.server = server;
      sinceNanos = System.nanoTime();
    }
    log.warn("{} is lost: {}; reconnecting", server, reason);
  }

  /**
   * A connection is back, or no longer needed.
   *
   * @param connection as given to {@link #lost}; unknown ones are ignored
   */
  public void recovered(Object connection) {
    String back;
    long millis;
    synchronized (this) {
      if (!lost.remove(connection) || !lost.isEmpty()) {
        return;
      }
      back = server;
      millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
    }
    log.info("{} is back after {} ms", back, millis);
  }
}
