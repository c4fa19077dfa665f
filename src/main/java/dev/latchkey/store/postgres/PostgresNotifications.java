package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.net.NotificationChannel;
import dev.latchkey.net.NotificationSource;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.pgclient.PgNotification;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The notifications of settled keys, over a connection that only listens. */
final class PostgresNotifications implements NotificationSource {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifications.class);

  private static final long PATIENCE_MILLIS = 100;

  private final ReconnectingConnection connection;
  private final NotificationChannel<Notification> channel;

  /**
   * Makes a channel that is not open yet.
   *
   * @param connection used by nothing else
   * @param nanos a clock of any origin
   */
  PostgresNotifications(ReconnectingConnection connection, LongSupplier nanos) {
    this.connection = connection;
    channel = new NotificationChannel<>(connection.context(), this, new Notification.Gap(), nanos);
    connection.listen(made -> made.notificationHandler(this::notified), channel::lost);
  }

  NotificationChannel<Notification> channel() {
    return channel;
  }

  /**
   * Registers interest and reads a key once notifications arrive. If that takes long, it does so
   * nevertheless: the channel reports a gap once they arrive. On any thread.
   */
  Future<KeyState> watching(Supplier<Future<KeyState>> watch) {
    Future<?> ready =
        channel.hasSubscribers() ? channel.subscribed(PATIENCE_MILLIS) : Future.succeededFuture();
    return ready
        .compose(done -> watch.get())
        .onSuccess(
            state -> {
              if (state instanceof KeyState.InProgress owner) {
                channel.await(owner.leaseLeftMillis());
              }
            });
  }

  /** Succeeds once notifications arrive. On any thread. */
  Future<Void> subscribed(long limitMillis) {
    String reason = "no subscription to notifications within " + limitMillis + " ms";
    return channel
        .subscribed(limitMillis)
        .compose(
            subscribed ->
                subscribed
                    ? Future.succeededFuture()
                    : Future.failedFuture(Failures.notDone(reason)));
  }

  @Override
  public Future<Void> subscribe() {
    return connection
        .ready()
        .compose(connected -> connection.sendCommand("LISTEN latchkey"))
        .mapEmpty();
  }

  @Override
  public Future<Void> probe() {
    return connection.sendCommand("SELECT 1").mapEmpty();
  }

  @Override
  public void drop(String reason) {
    connection.lose(reason);
  }

  @Override
  public Future<Void> close() {
    return connection.close();
  }

  private void notified(PgNotification notification) {
    Notification.Settled settled;
    try {
      JsonArray parts = new JsonArray(notification.getPayload());
      settled =
          new Notification.Settled(
              new ScopedKey(parts.getString(0), parts.getString(1), parts.getString(2)));
    } catch (RuntimeException unreadable) {
      LOG.warn("ignored an unreadable notification on the channel latchkey");
      return;
    }
    channel.publish(settled);
  }
}
