package dev.latchkey.store.redis;

import dev.latchkey.idempotency.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pipelined connection of one event loop to one server, made again for as long as it is wanted.
 * Calls that come while there is none wait for the next attempt and share its fate. Confined to its
 * event loop.
 */
final class Link implements Wire.Listener {

  private static final long FIRST_REST_MILLIS = 50;
  private static final long LONGEST_REST_MILLIS = 1_000;

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
  private final ArrayDeque<Call> queued = new ArrayDeque<>();
  private final ArrayDeque<Call> inFlight = new ArrayDeque<>();
  private @Nullable Wire wire;
  private @Nullable RedisConnection connection;
  private long restMillis = FIRST_REST_MILLIS;
  private boolean resting;
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
    if (connection != null) {
      write(connection, call);
      return;
    }
    queued.add(call);
    if (wire == null && !resting) {
      connect();
    }
  }

  /** Fails what has waited too long; a server that owes an answer is taken for dead. */
  void failOverdue(long nowNanos) {
    boolean silent = false;
    for (Call call : inFlight) {
      silent |= nowNanos - call.deadlineNanos >= 0;
    }
    if (silent) {
      broken("no answer within " + settings.callTimeoutMillis() + " ms");
    }
    queued.removeIf(
        call -> {
          boolean late = nowNanos - call.deadlineNanos >= 0;
          if (late) {
            call.fail(Outcome.NOT_DONE, "no connection to " + address + " in time");
          }
          return late;
        });
  }

  /** Drops the connection at once and makes another. */
  void broken(String reason) {
    if (wire != null) {
      wire.drop();
      down(reason);
    }
  }

  Future<Void> close() {
    closed = true;
    outage.over(this);
    Future<Void> gone = wire == null ? Future.succeededFuture() : wire.drop();
    wire = null;
    connection = null;
    failAll("the connection to " + address + " was closed");
    return gone;
  }

  @Override
  public void up(RedisConnection made) {
    connection = made;
    restMillis = FIRST_REST_MILLIS;
    outage.over(this);
    for (Call call = queued.poll(); call != null && connection == made; call = queued.poll()) {
      write(made, call);
    }
  }

  @Override
  public void down(String reason) {
    wire = null;
    connection = null;
    outage.lost(this, address, reason);
    resting = true;
    context.setTimer(restMillis, ignored -> rested());
    restMillis = Math.min(LONGEST_REST_MILLIS, 2 * restMillis);
    failAll(reason);
    owner.down(this);
  }

  private void rested() {
    resting = false;
    if (!closed && wire == null) {
      connect();
    }
  }

  private void connect() {
    wire = Wire.open(context, settings, endpoint, this);
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

  private void write(RedisConnection over, Call call) {
    inFlight.add(call);
    if (call.takeAsking()) {
      over.send(Request.cmd(Command.ASKING));
    }
    over.send(call.request())
        .onComplete(
            response -> context.dispatch(() -> answered(call, response)),
            failure -> context.dispatch(() -> refused(call, failure)));
  }

  private void answered(Call call, @Nullable Response response) {
    if (leave(call)) {
      call.succeed(Optional.ofNullable(response));
    }
  }

  private void refused(Call call, Throwable failure) {
    if (!inFlight.contains(call)) {
      return;
    }
    String text = Wire.reason(failure);
    boolean byServer = failure instanceof ErrorType && !isOfTheDriver(text);
    if (!byServer) {
      // All that is under way on this connection is lost with it.
      broken(text);
    } else if (leave(call)) {
      owner.failed(this, call, text);
    }
  }

  /** The driver says with the type of a server's error what a server never says. */
  private static boolean isOfTheDriver(String text) {
    return text.startsWith("CONNECTION_CLOSED") || text.startsWith("ILLEGAL_STATE");
  }

  /** Takes a call out of those under way; false when it was given up before. */
  private boolean leave(Call call) {
    if (inFlight.peek() == call) {
      inFlight.poll();
      return true;
    }
    return inFlight.remove(call);
  }
}
