package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.net.NotificationChannel;
import dev.latchkey.net.NotificationSource;
import dev.latchkey.store.redis.connection.Call.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription of a node to one channel of Redis. In a cluster any server will do, since
 * messages reach them all; a server that left the cluster confirms a subscription and receives
 * nothing, so the subscription moves if its server has no slots.
 *
 * <p>Its probe subscribes again to the same channel. That changes nothing, and detects that the
 * user lost the right to subscribe. Confined to one event loop, except the methods that say
 * otherwise.
 *
 * @param <N> a notification
 */
public final class RedisSubscription<N>
    implements NotificationSource, PipelinedConnection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(RedisSubscription.class);
  private static final long GAP_DELAY_MILLIS = 200;

  private final RedisConnections connections;
  private final ContextInternal context;
  private final String channel;
  private final Function<String, N> reader;
  private final NotificationChannel<N> notifications;
  private final SubscriptionServers servers;

  /** Confirmations that are outstanding, of the subscription and of its probes. */
  private final List<Promise<Void>> unconfirmed = new ArrayList<>();

  private @Nullable PipelinedConnection connection;
  private RedisAddress address;
  private boolean subscribed;
  private boolean gapIsDue;
  private int failures;
  private volatile String lastFailure = "no response";

  RedisSubscription(
      RedisConnections connections, String channel, N gap, Function<String, N> reader) {
    this.connections = connections;
    this.channel = channel;
    this.reader = reader;
    context = connections.vertx().createEventLoopContext();
    notifications = new NotificationChannel<>(context, this, gap, System::nanoTime);
    servers = new SubscriptionServers(connections);
    address = connections.slots().known().iterator().next();
  }

  /** Returns what subscribers listen to. On any thread. */
  public NotificationChannel<N> notifications() {
    return notifications;
  }

  /**
   * Waits for the subscription, then publishes an empty message. On any thread.
   *
   * @return fails with {@link StoreException} if there is no subscription within the time of a
   *     call, or the user has no right to publish
   */
  public Future<Void> ready() {
    return notifications
        .subscribed(connections.settings().callTimeoutMillis())
        .compose(
            subscribed ->
                subscribed
                    ? ServerQueries.ask(connections, "publish", "PUBLISH", channel, "")
                    : Future.failedFuture(
                        unusable("subscribe: no subscription to the channel", lastFailure)))
        .map(
            published -> {
              if (published.isEmpty()) {
                throw unusable("publish: this user must not publish to the channel", "NOPERM");
              }
              return null;
            });
  }

  private StoreException unusable(String what, String why) {
    return new StoreException(Outcome.NOT_DONE, what + " " + channel + ": " + why);
  }

  @Override
  public Future<Void> subscribe() {
    address = servers.next(failures);
    Promise<Void> confirmed = context.promise();
    unconfirmed.add(confirmed);
    connection = PipelinedConnection.open(context, connections.settings(), address, this);
    return confirmed.future();
  }

  @Override
  public void up(PipelinedConnection made) {
    send(made);
    context.setTimer(
        connections.settings().options().getConnectTimeoutMillis(),
        ignored -> {
          if (connection == made && !subscribed) {
            broken("no confirmation of the subscription");
          }
        });
  }

  private void send(PipelinedConnection to) {
    long deadlineNanos = connections.deadlineNanos();
    to.send(Call.of("subscribe", Kind.READS, SlotMap.ANY, deadlineNanos, "SUBSCRIBE", channel));
  }

  @Override
  public Future<Void> probe() {
    PipelinedConnection current = connection;
    if (current == null) {
      return Future.failedFuture(lastFailure);
    }
    if (servers.hasNoSlots(address)) {
      return Future.failedFuture("it serves no slots of its cluster any more");
    }
    Promise<Void> confirmed = context.promise();
    unconfirmed.add(confirmed);
    send(current);
    return confirmed.future();
  }

  @Override
  public void received(@Nullable Response message) {
    if (message == null || message.type() == ResponseType.ERROR) {
      broken(String.valueOf(message));
    } else if (message.get(0).toString().equals("message")) {
      String text = message.get(2).toString();
      // An empty one tests the right to publish.
      if (!text.isEmpty()) {
        publish(text);
      }
    } else {
      subscribed = true;
      failures = 0;
      connections.health().recovered(this);
      takeUnconfirmed().forEach(Promise::tryComplete);
    }
  }

  private List<Promise<Void>> takeUnconfirmed() {
    List<Promise<Void>> taken = List.copyOf(unconfirmed);
    unconfirmed.clear();
    return taken;
  }

  private void publish(String message) {
    try {
      notifications.publish(reader.apply(message));
    } catch (IllegalArgumentException foreign) {
      LOG.warn("ignored a message on the channel {} that Latchkey did not send", channel);
    }
  }

  private void broken(String reason) {
    if (connection != null) {
      connection.drop();
      down(reason);
    }
  }

  /** A server became a replica; its name may lead to the new master by now. On any thread. */
  void demoted(RedisAddress which) {
    context.runOnContext(
        ignored -> {
          if (which.equals(address)) {
            broken("it became a replica");
          }
        });
    interestLost(which);
  }

  /**
   * Another server may have lost the interest of waiters: reports one gap for all that is lost
   * within a moment. On any thread.
   */
  void interestLost(RedisAddress which) {
    context.runOnContext(
        ignored -> {
          if (!which.equals(address) && !gapIsDue) {
            gapIsDue = true;
            context.setTimer(
                GAP_DELAY_MILLIS,
                id -> {
                  gapIsDue = false;
                  notifications.missed();
                });
          }
        });
  }

  @Override
  public void down(String reason) {
    boolean wasSubscribed = subscribed;
    lose(reason);
    if (wasSubscribed) {
      notifications.lost();
    }
  }

  @Override
  public void drop(String reason) {
    if (connection != null) {
      connection.drop();
      lose(reason);
    }
  }

  @Override
  public Future<Void> close() {
    connections.health().recovered(this);
    PipelinedConnection open = connection;
    connection = null;
    return open == null ? Future.succeededFuture() : open.drop();
  }

  private void lose(String reason) {
    lastFailure = reason;
    failures++;
    connection = null;
    subscribed = false;
    connections.health().lost(this, address, reason);
    takeUnconfirmed().forEach(it -> it.tryFail(reason));
  }
}
