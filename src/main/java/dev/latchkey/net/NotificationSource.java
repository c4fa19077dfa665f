package dev.latchkey.net;

import io.vertx.core.Future;

/**
 * The connection to a server under a {@link NotificationChannel}. Called on the channel's event
 * loop, where its futures complete.
 */
public interface NotificationSource {

  /**
   * Connects and subscribes, while no connection is held.
   *
   * @return succeeds once notifications arrive; fails, within a bounded time, after the connection
   *     was dropped
   */
  Future<Void> subscribe();

  /**
   * Makes one round trip over the connection.
   *
   * @return fails if the connection is not usable
   */
  Future<Void> probe();

  /**
   * Closes the connection without a call to {@link NotificationChannel#lost}.
   *
   * @param reason why it is not usable
   */
  void drop(String reason);

  /** Closes the connection, or ends the attempt to make it; succeeds when it is gone. */
  Future<Void> close();
}
