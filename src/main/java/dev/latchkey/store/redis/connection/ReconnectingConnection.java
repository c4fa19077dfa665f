package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.net.BackOff;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one event loop to one server, replaced after a loss. A connection that breaks
 * while calls are outstanding is replaced at once, with back-off. One that ends while idle is
 * replaced on the next call, since servers close idle connections. Calls without a connection wait
 * for the next attempt and fail with it. Confined to its event loop.
 */
final class ReconnectingConnection implements PipelinedConnection.Listener {

  private static final BackOff BACK_OFF = new BackOff(50, 1_000);
  private static final long DEMOTION_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Decides what an error means. */
  interface Owner {

    /** The response to a call is an error; the call is no longer outstanding. */
    void failed(ReconnectingConnection connection, Call call, String error);

    /** The connection is back after it broke or could not be made. */
    void recovered(ReconnectingConnection connection);

    /** The connection broke or could not be made. */
    void down(ReconnectingConnection connection);
  }

  private final RedisAddress address;
  private final ContextInternal context;
  private final ConnectionSettings settings;
  private final ServerHealth health;
  private final Owner owner;
  private final long tickNanos;
  private final OutstandingCalls calls;
  private @Nullable PipelinedConnection connection;
  private boolean isUp;
  private int failures;
  private boolean backingOff;

  /** Whether the server was a replica, and has accepted no write since. */
  private boolean demoted;

  private long demotedAtNanos;

  /** Whether calls wait for the connection that replaces this one. */
  private boolean draining;

  private boolean closed;

  ReconnectingConnection(
      RedisAddress address,
      ContextInternal context,
      ConnectionSettings settings,
      ServerHealth health,
      Owner owner) {
    this.address = address;
    calls = new OutstandingCalls(address);
    this.context = context;
    this.settings = settings;
    this.health = health;
    this.owner = owner;
    tickNanos =
        TimeUnit.MILLISECONDS.toNanos(settings.callTimeoutMillis())
            / LoopConnections.TICKS_PER_TIMEOUT;
  }

  RedisAddress address() {
    return address;
  }

  boolean isIdle() {
    return calls.isEmpty();
  }

  /** Sends a call now or once there is a connection, unless its deadline has passed. */
  void send(Call call) {
    send(call, System.nanoTime());
  }

  void send(Call call, long nowNanos) {
    if (call.isOverdue(nowNanos)) {
      call.fail(Outcome.NOT_DONE, "its time was over before it could be sent to " + address);
    } else if (closed) {
      call.fail(Outcome.NOT_DONE, "the connection to " + address + " was closed");
    } else if (connection != null && isUp && !draining) {
      call.sentAt(nowNanos);
      call.takeAsking().ifPresent(this::write);
      write(call);
    } else {
      calls.queue(call);
      if (connection == null && !backingOff) {
        connect();
      }
    }
  }

  private void write(Call call) {
    if (connection != null) {
      calls.sent(call);
      connection.send(call);
    }
  }

  /** Fails overdue calls, and replaces the connection if the server owes a response. */
  void failOverdue(long nowNanos) {
    if (calls.failOverdue(nowNanos, tickNanos)) {
      broken("no response within " + settings.callTimeoutMillis() + " ms");
    }
  }

  private void broken(String reason) {
    if (connection != null) {
      connection.drop();
      lost(reason);
    }
  }

  /**
   * The server is a replica; its name may lead to the new master by now. So the connection is
   * replaced once it owes no response. At most once a second, since the server may be the same.
   *
   * @return whether it will be replaced
   */
  boolean demoted() {
    long nowNanos = System.nanoTime();
    if (connection == null || (demoted && nowNanos - demotedAtNanos < DEMOTION_PAUSE_NANOS)) {
      return false;
    }
    demoted = true;
    demotedAtNanos = nowNanos;
    draining = true;
    replaceOnceDrained();
    return true;
  }

  private void replaceOnceDrained() {
    if (draining && !calls.areSent()) {
      context.runOnContext(ignored -> replace());
    }
  }

  private void replace() {
    if (connection != null && draining && !closed) {
      connection.drop();
      isUp = false;
      draining = false;
      health.lost(this, address, "it became a replica");
      connect();
      owner.down(this);
    }
  }

  Future<Void> close() {
    closed = true;
    health.recovered(this);
    Future<Void> gone = connection == null ? Future.succeededFuture() : connection.drop();
    connection = null;
    isUp = false;
    calls.failAll("the connection to " + address + " was closed");
    return gone;
  }

  @Override
  public void up(PipelinedConnection made) {
    isUp = true;
    if (failures > 0) {
      owner.recovered(this);
    }
    if (!demoted) {
      recovered();
    }
    long nowNanos = System.nanoTime();
    for (Call call = calls.pollQueued(); call != null; call = calls.pollQueued()) {
      send(call, nowNanos);
    }
  }

  private void recovered() {
    demoted = false;
    failures = 0;
    health.recovered(this);
  }

  @Override
  public void down(String reason) {
    if (isUp && isIdle() && !demoted) {
      connection = null;
      isUp = false;
      owner.down(this);
    } else {
      lost(reason);
    }
  }

  private void lost(String reason) {
    connection = null;
    isUp = false;
    draining = false;
    health.lost(this, address, reason);
    backingOff = true;
    failures++;
    long pauseMillis = BACK_OFF.delayMillis(failures, ThreadLocalRandom.current());
    context.setTimer(pauseMillis, ignored -> reconnect());
    calls.failAll(reason);
    owner.down(this);
  }

  private void reconnect() {
    backingOff = false;
    if (!closed && connection == null) {
      connect();
    }
  }

  private void connect() {
    connection = PipelinedConnection.open(context, settings, address, this);
  }

  @Override
  public void received(@Nullable Response response) {
    Call call = calls.pollSent();
    if (call == null) {
      broken("a response without a call");
    } else if (response != null && response.type() == ResponseType.ERROR) {
      owner.failed(this, call, response.toString());
    } else {
      if (demoted && call.kind == Call.Kind.WRITES) {
        recovered();
      }
      call.succeed(Optional.ofNullable(response));
    }
    replaceOnceDrained();
  }
}
