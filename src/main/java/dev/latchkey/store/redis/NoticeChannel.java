package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.net.ConnectionFailure;
import dev.latchkey.net.Gate;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's ear: one connection that is subscribed to the ends of awaited attempts, made again
 * after a loss, and then everybody is told that there was a gap. In a cluster any node will do,
 * since messages reach them all; one that has left it confirms everything and hears nothing, so the
 * subscription moves on where its node has no slots any more.
 *
 * <p>A half-open connection tells nothing, so it is probed once a second while anybody may be
 * waiting: until the lease of the last watched claim is over, since by then whoever still waits
 * watches again. The probe subscribes once more to the same channel, which changes nothing and is
 * confirmed in line with the messages: the driver cannot tell the answer to a {@code PING} from a
 * message.
 *
 * <p>State is confined to one event loop; the public methods may be called on any thread.
 */
final class NoticeChannel implements PubSubConnection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(NoticeChannel.class);
  private static final long PROBE_PAUSE_MILLIS = 1_000;
  private static final long PROBE_PATIENCE_MILLIS = 500;
  private static final long SOON_MILLIS = 1_000;
  private static final long LEARN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long FIRST_REST_MILLIS = 50;
  private static final long LONGEST_REST_MILLIS = 1_000;

  /** A lease is watched anew at its end; this much later at the latest. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private record Subscriber(Handler<Notification> handler, Object identity) {}

  private final RedisConnections connections;
  private final String channel;
  private final ContextInternal context;
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private final AtomicLong awaitedUntilNanos = new AtomicLong(System.nanoTime());
  private final Gate listening;

  /** Whether somebody may have missed a message before the next subscription. */
  private boolean deaf;

  private @Nullable PubSubConnection pubSub;
  private @Nullable RedisConnection connection;
  private RedisAddress address;
  private long restMillis = FIRST_REST_MILLIS;
  private int attempts;
  private int failures;
  private long learnedAtNanos = System.nanoTime() - LEARN_PAUSE_NANOS;
  private long heard;
  private boolean probing;
  private boolean closed;
  private String lastLoss = "nobody answered";

  NoticeChannel(RedisConnections connections, String channel) {
    this.connections = connections;
    this.channel = channel;
    context = connections.vertx().createEventLoopContext();
    listening = new Gate(context);
    address = connections.slots().known().iterator().next();
  }

  /** Begins to listen, for as long as this is not closed. */
  void open() {
    connections.closeWith(this::close);
    context.runOnContext(ignored -> connect());
  }

  /** Succeeds once the subscription stands; fails when it does not within the time of a call. */
  Future<Void> ready() {
    Promise<Void> standing = Promise.promise();
    context.runOnContext(
        ignored ->
            listening
                .passed(connections.settings().callTimeoutMillis())
                .onSuccess(
                    heard -> {
                      if (heard) {
                        standing.complete();
                      } else {
                        standing.fail(notSubscribed());
                      }
                    }));
    return standing.future();
  }

  private StoreException notSubscribed() {
    return new StoreException(
        Outcome.NOT_DONE, "subscribe: no subscription to the channel " + channel + ": " + lastLoss);
  }

  /** Succeeds once the subscription stands, or after a second. */
  Future<Void> readySoon() {
    if (listening.isOpen()) {
      return Future.succeededFuture();
    }
    Promise<Void> soon = Promise.promise();
    context.runOnContext(
        ignored ->
            listening
                .passed(SOON_MILLIS)
                .onSuccess(
                    heard -> {
                      deaf |= !heard;
                      soon.complete();
                    }));
    return soon.future();
  }

  Subscription subscribe(Handler<Notification> handler) {
    Subscriber subscriber = new Subscriber(handler, new Object());
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /** Somebody waits for a claim, for as long as its lease lasts or until there is a notice. */
  void awaited(long leaseLeftMillis) {
    long leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseLeftMillis);
    long untilNanos = System.nanoTime() + leaseNanos + GRACE_NANOS;
    awaitedUntilNanos.accumulateAndGet(
        untilNanos, (known, other) -> other - known > 0 ? other : known);
    context.runOnContext(ignored -> probeWhileAwaited());
  }

  /** Ends the subscription. On any thread; idempotent. */
  Future<Void> close() {
    return Future.future(done -> context.runOnContext(ignored -> closeNow().onComplete(done)));
  }

  private Future<Void> closeNow() {
    closed = true;
    connections.outage().over(this);
    Future<Void> gone = pubSub == null ? Future.succeededFuture() : pubSub.drop();
    pubSub = null;
    connection = null;
    return gone;
  }

  private void connect() {
    if (!closed && pubSub == null) {
      address = nextAddress();
      RedisSettings settings = connections.settings();
      String like = settings.options().getEndpoints().get(0);
      pubSub = PubSubConnection.open(context, settings, address.endpointLike(like), this);
    }
  }

  /**
   * The next one after each failure, so that one dead node of a cluster is got past: of those that
   * have slots, and of all that were ever named where none of these answered.
   */
  private RedisAddress nextAddress() {
    SlotMap slots = connections.slots();
    List<RedisAddress> known = new ArrayList<>(slots.masters());
    if (known.isEmpty() || failures >= known.size()) {
      known = new ArrayList<>(slots.known());
    }
    return known.get(Math.floorMod(attempts++, known.size()));
  }

  @Override
  public void up(RedisConnection made) {
    connection = made;
    made.handler(message -> context.dispatch(message, this::heard));
    subscribe(made);
    long before = heard;
    // The subscription is confirmed by a message of its own.
    context.setTimer(
        connections.settings().connectTimeoutMillis(),
        ignored -> {
          if (connection == made && heard == before) {
            drop("no subscription within its time");
          }
        });
  }

  private void subscribe(RedisConnection over) {
    over.send(Request.cmd(Command.SUBSCRIBE, channel))
        .onFailure(
            failure -> {
              if (connection == over) {
                context.dispatch(() -> drop(ConnectionFailure.reason(failure)));
              }
            });
  }

  private void heard(Response message) {
    if (message.type() == ResponseType.ERROR) {
      // What is refused is answered here too, since no call waits for it.
      drop(message.toString());
      return;
    }
    heard++;
    String kind = message.get(0).toString();
    if (kind.equals("subscribe")) {
      subscribed();
    } else if (kind.equals("message")) {
      settled(message.get(2).toString());
    }
  }

  private void subscribed() {
    if (listening.isOpen()) {
      // The answer to a probe.
      return;
    }
    restMillis = FIRST_REST_MILLIS;
    failures = 0;
    connections.outage().over(this);
    listening.open();
    if (deaf) {
      deaf = false;
      tell(new Notification.Gap());
    }
    probeWhileAwaited();
  }

  private void settled(String published) {
    ScopedKey key;
    try {
      key = RedisKeys.published(published);
    } catch (IllegalArgumentException foreign) {
      LOG.warn("a message on {} is not of this service and was ignored", channel);
      return;
    }
    tell(new Notification.Settled(key));
  }

  private void tell(Notification notice) {
    for (Subscriber subscriber : subscribers) {
      try {
        subscriber.handler().handle(notice);
      } catch (RuntimeException broken) {
        LOG.error("a subscriber to the notices of Redis failed: {}", broken.toString());
      }
    }
  }

  private void probeWhileAwaited() {
    boolean wanted = awaitedUntilNanos.get() - System.nanoTime() > 0;
    RedisConnection over = connection;
    if (probing || !wanted || over == null || !listening.isOpen()) {
      return;
    }
    if (connections.slots().isCluster() && leftCluster()) {
      return;
    }
    probing = true;
    long before = heard;
    subscribe(over);
    context.setTimer(
        PROBE_PATIENCE_MILLIS,
        ignored -> {
          if (connection == over && heard == before) {
            drop("no sign of life within " + PROBE_PATIENCE_MILLIS + " ms");
          }
        });
    context.setTimer(
        PROBE_PAUSE_MILLIS,
        ignored -> {
          probing = false;
          probeWhileAwaited();
        });
  }

  /** Subscribes elsewhere where the node has no slots, as far as is known; asks now and then. */
  private boolean leftCluster() {
    long nowNanos = System.nanoTime();
    if (nowNanos - learnedAtNanos >= LEARN_PAUSE_NANOS) {
      learnedAtNanos = nowNanos;
      connections.learnSlots();
    }
    Set<RedisAddress> masters = connections.slots().masters();
    if (masters.isEmpty() || masters.contains(address) || pubSub == null) {
      return false;
    }
    LOG.info("Redis at {} has no slots of its cluster: notices are heard elsewhere", address);
    pubSub.drop();
    silent();
    connect();
    return true;
  }

  private void drop(String reason) {
    if (pubSub != null) {
      pubSub.drop();
      down(reason);
    }
  }

  @Override
  public void down(String reason) {
    lastLoss = reason;
    silent();
    if (closed) {
      return;
    }
    failures++;
    connections.outage().lost(this, address, reason);
    context.setTimer(restMillis, ignored -> connect());
    restMillis = Math.min(LONGEST_REST_MILLIS, 2 * restMillis);
  }

  private void silent() {
    pubSub = null;
    connection = null;
    if (listening.isOpen()) {
      deaf = true;
      listening.shut();
    }
  }
}
