package dev.latchkey.store.redis;

import dev.latchkey.core.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pipelined connection of one event loop to one server, made again for as long as it is wanted:
 * one that breaks under calls at once, one that ends unused with the next call, since a server may
 * end what is idle. Calls that come while there is none wait for the next attempt and share its
 * fate. Confined to its event loop.
 */
final class Link implements Pipe.Listener {

  private static final long FIRST_REST_MILLIS = 50;
  private static final long LONGEST_REST_MILLIS = 1_000;
  private static final long DEMOTION_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Who decides about answers that are errors. */
  interface Owner {

    /** The server answered a call with an error; it is no longer under way here. */
    void failed(Link link, Call call, String error);

    /** The connection broke or could not be made. */
    void down(Link link);
  }

  private final RedisAddress address;
  private final String endpoint;
  private final ContextInternal context;
  private final RedisSettings settings;
  private final Outage outage;
  private final Owner owner;
  private final long patienceNanos;
  private final ArrayDeque<Call> queued = new ArrayDeque<>();
  private final ArrayDeque<Call> inFlight = new ArrayDeque<>();
  private @Nullable Pipe pipe;
  private boolean isUp;
  private long restMillis = FIRST_REST_MILLIS;
  private boolean resting;

  /** Whether it was dropped for a server that is a replica, and no write was answered since. */
  private boolean demoted;

  private long demotedAtNanos;

  /** Whether calls wait for the connection that replaces this one. */
  private boolean draining;

  private boolean closed;

  Link(
      RedisAddress address,
      String endpoint,
      ContextInternal context,
      RedisSettings settings,
      Outage outage,
      Owner owner) {
    this.address = address;
    this.endpoint = endpoint;
    this.context = context;
    this.settings = settings;
    this.outage = outage;
    this.owner = owner;
    patienceNanos =
        TimeUnit.MILLISECONDS.toNanos(settings.callTimeoutMillis()) / Lane.TICKS_PER_TIMEOUT;
  }

  RedisAddress address() {
    return address;
  }

  boolean isIdle() {
    return queued.isEmpty() && inFlight.isEmpty();
  }

  /** Sends a call now or once there is a connection. */
  void send(Call call) {
    if (closed) {
      call.fail(Outcome.NOT_DONE, "the connection to " + address + " was closed");
      return;
    }
    if (pipe != null && isUp && !draining) {
      write(pipe, call);
      return;
    }
    queued.add(call);
    if (pipe == null && !resting) {
      connect();
    }
  }

  /** Sends a call with what is left of its time, if anything is. */
  void sendLate(Call call, long nowNanos) {
    if (call.isOverdue(nowNanos)) {
      call.fail(Outcome.NOT_DONE, "its time was over before " + address + " could be asked");
    } else {
      call.sentLate(nowNanos);
      send(call);
    }
  }

  /**
   * Fails what has waited too long. A server that owes an answer is taken for dead, unless it was
   * asked a moment ago.
   */
  void failOverdue(long nowNanos) {
    boolean silent = false;
    List<Call> hasty = new ArrayList<>();
    for (Call call : inFlight) {
      if (call.isOverdue(nowNanos)) {
        boolean lately = call.wasSentWithin(patienceNanos, nowNanos);
        silent |= !lately;
        if (lately) {
          hasty.add(call);
        }
      }
    }
    hasty.forEach(it -> it.fail(Outcome.UNKNOWN, "no answer in what was left of its time"));
    if (silent) {
      broken("no answer within " + settings.callTimeoutMillis() + " ms");
    }
    Call.takeOverdue(queued, nowNanos)
        .forEach(it -> it.fail(Outcome.NOT_DONE, "no connection to " + address + " in time"));
  }

  /** Drops the connection at once and makes another. */
  void broken(String reason) {
    if (pipe != null) {
      pipe.drop();
      lost(reason);
    }
  }

  /**
   * The server is a replica; its name may lead to the new master by now. So the connection is
   * replaced once it owes no response. At most once a second, since the server may be the same.
   */
  void demoted() {
    long nowNanos = System.nanoTime();
    if (pipe == null || (demoted && nowNanos - demotedAtNanos < DEMOTION_PAUSE_NANOS)) {
      return;
    }
    demoted = true;
    demotedAtNanos = nowNanos;
    draining = true;
    replaceOnceDrained();
  }

  private void replaceOnceDrained() {
    if (draining && inFlight.isEmpty()) {
      context.runOnContext(ignored -> replace());
    }
  }

  private void replace() {
    if (pipe == null || !draining || closed) {
      return;
    }
    pipe.drop();
    isUp = false;
    draining = false;
    outage.lost(this, address, "it became a replica");
    connect();
    owner.down(this);
  }

  Future<Void> close() {
    closed = true;
    outage.over(this);
    Future<Void> gone = pipe == null ? Future.succeededFuture() : pipe.drop();
    pipe = null;
    isUp = false;
    failAll("the connection to " + address + " was closed");
    return gone;
  }

  @Override
  public void up(Pipe made) {
    isUp = true;
    if (!demoted) {
      isOver();
    }
    long nowNanos = System.nanoTime();
    for (Call call = queued.poll(); call != null; call = queued.poll()) {
      sendLate(call, nowNanos);
    }
  }

  private void isOver() {
    demoted = false;
    restMillis = FIRST_REST_MILLIS;
    outage.over(this);
  }

  @Override
  public void down(String reason) {
    if (isUp && isIdle() && !demoted) {
      pipe = null;
      isUp = false;
      owner.down(this);
    } else {
      lost(reason);
    }
  }

  private void lost(String reason) {
    pipe = null;
    isUp = false;
    draining = false;
    outage.lost(this, address, reason);
    resting = true;
    context.setTimer(restMillis, ignored -> rested());
    restMillis = Math.min(LONGEST_REST_MILLIS, 2 * restMillis);
    failAll(reason);
    owner.down(this);
  }

  private void rested() {
    resting = false;
    if (!closed && pipe == null) {
      connect();
    }
  }

  private void connect() {
    pipe = Pipe.open(context, settings, endpoint, this);
  }

  private void failAll(String reason) {
    ArrayDeque<Call> sent = new ArrayDeque<>(inFlight);
    ArrayDeque<Call> unsent = new ArrayDeque<>(queued);
    inFlight.clear();
    queued.clear();
    sent.forEach(
        call -> call.fail(Outcome.UNKNOWN, "the connection to " + address + " broke: " + reason));
    unsent.forEach(
        call -> call.fail(Outcome.NOT_DONE, "no connection to " + address + ": " + reason));
  }

  private void write(Pipe over, Call call) {
    if (call.takeAsking()) {
      Call asking = call.asking();
      inFlight.add(asking);
      over.send(asking);
    }
    inFlight.add(call);
    over.send(call);
  }

  @Override
  public void answered(@Nullable Response answer) {
    Call call = inFlight.poll();
    if (call == null) {
      broken("an answer that nobody asked for");
    } else if (answer != null && answer.type() == ResponseType.ERROR) {
      owner.failed(this, call, answer.toString());
    } else {
      if (demoted && call.kind() == Call.Kind.WRITES) {
        isOver();
      }
      call.succeed(Optional.ofNullable(answer));
    }
    replaceOnceDrained();
  }
}
