package dev.latchkey.store.redis;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import io.vertx.redis.client.impl.ParserHandler;
import io.vertx.redis.client.impl.RESPParser;
import io.vertx.redis.client.impl.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pipelined connection, from the attempt to make it to its end. Speaks for itself, by the
 * driver's parser: the driver writes each call by itself, where all calls of one turn of the event
 * loop can leave in one write and be read by the server in one, and it has a promise and a queue of
 * its own for what {@link Link} keeps already.
 *
 * <p>Confined to the event loop of its context, on which its listener is called.
 */
final class Pipe implements ParserHandler {

  private static final int MOST_NESTED = 16;

  /** Who hears what becomes of a connection. */
  interface Listener {

    /** It can be used. */
    void up(Pipe pipe);

    /** It could not be made, or has ended. Called once at most, and never after {@link #drop}. */
    void down(String reason);

    /** The next call was answered, in the order in which they were sent; null is nil. */
    void answered(@Nullable Response answer);
  }

  private final ContextInternal home;
  private final ContextInternal context;
  private final CloseFuture resources = new CloseFuture();
  private final Listener listener;
  private @Nullable NetClient client;
  private @Nullable NetSocket socket;
  private @Nullable Buffer gathered;
  private int greetings;
  private boolean ended;
  private long timer = -1;

  private Pipe(ContextInternal home, Listener listener) {
    // Whatever a client opens stays with the Vert.x instance until that ends, also when the client
    // was closed long before: so each has a context of its own to leave it with. Nobody else may
    // ever be called there, or what others open would end with this connection.
    this.context =
        home.owner()
            .contextBuilder()
            .withEventLoop(home.nettyEventLoop())
            .withCloseFuture(resources)
            .build();
    this.home = home;
    this.listener = listener;
  }

  /**
   * Begins to connect.
   *
   * @param home the event loop to stay on; the listener is called in this context
   * @param settings time-outs, TLS and credentials
   * @param endpoint whom to connect to
   * @param listener told on the event loop, never before this returns
   * @return the connection to be
   */
  static Pipe open(
      ContextInternal home, RedisSettings settings, String endpoint, Listener listener) {
    Pipe pipe = new Pipe(home, listener);
    // A task of its own, so that the client finds this context current and no request's.
    pipe.context.runOnContext(ignored -> pipe.connect(settings, endpoint));
    return pipe;
  }

  /**
   * Ends it at once, whatever is under way, and says no more; tells when all is gone. Idempotent.
   */
  Future<Void> drop() {
    ended = true;
    gathered = null;
    context.owner().cancelTimer(timer);
    if (client != null) {
      client.close();
      client = null;
    }
    return resources.close();
  }

  /** Sends a call with all others of this turn of the event loop; only while it is up. */
  void send(Call call) {
    if (gathered == null) {
      gathered = Buffer.buffer(Math.toIntExact(Math.min(call.bytes, Integer.MAX_VALUE / 2)) + 64);
      home.nettyEventLoop().execute(this::flush);
    }
    call.encode(gathered);
  }

  private void flush() {
    Buffer all = gathered;
    gathered = null;
    if (socket != null && all != null && !ended) {
      write(socket, all);
    }
  }

  private void write(NetSocket to, Buffer bytes) {
    to.write(bytes).onFailure(failure -> end(Wire.reason(failure)));
  }

  private void connect(RedisSettings settings, String endpoint) {
    if (ended) {
      return;
    }
    long timeoutMillis = settings.connectTimeoutMillis();
    timer =
        context.setTimer(timeoutMillis, id -> end("no connection after " + timeoutMillis + " ms"));
    try {
      RedisURI uri = new RedisURI(endpoint);
      NetClientOptions net = new NetClientOptions(settings.options().getNetClientOptions());
      net.setConnectTimeout(Math.toIntExact(timeoutMillis))
          .setTcpNoDelay(true)
          .setTcpKeepAlive(true)
          .setSsl(net.isSsl() || uri.ssl());
      NetClient made = context.owner().createNetClient(net);
      client = made;
      made.connect(uri.socketAddress())
          .onComplete(
              connected -> greet(connected, uri, settings.options()),
              failure -> end(Wire.reason(failure)));
    } catch (RuntimeException unusable) {
      end(Wire.reason(unusable));
    }
  }

  /** Says who we are. A server that is silent is found out by that. */
  private void greet(NetSocket made, RedisURI uri, RedisOptions options) {
    if (ended) {
      return;
    }
    socket = made;
    RESPParser parser = new RESPParser(this, MOST_NESTED);
    made.handler(bytes -> home.dispatch(bytes, parser));
    made.closeHandler(ignored -> end("the server closed the connection"));
    made.exceptionHandler(failure -> end(Wire.reason(failure)));
    List<Object> hello = new ArrayList<>(List.of("HELLO", "2"));
    Optional<String> password =
        Optional.ofNullable(uri.password()).or(() -> Optional.ofNullable(options.getPassword()));
    password.ifPresent(
        secret -> {
          String user = Optional.ofNullable(uri.user()).orElse("");
          hello.addAll(List.of("AUTH", user.isEmpty() ? "default" : user, secret));
        });
    Buffer greeting = Buffer.buffer();
    Words.encode(greeting, hello.toArray());
    greetings = 1;
    if (uri.select() != null) {
      Words.encode(greeting, "SELECT", uri.select().toString());
      greetings++;
    }
    write(made, greeting);
  }

  @Override
  public void handle(@Nullable Response answer) {
    if (ended) {
      return;
    }
    if (greetings == 0) {
      home.dispatch(answer, listener::answered);
    } else if (answer != null && answer.type() == ResponseType.ERROR) {
      end(answer.toString());
    } else if (--greetings == 0) {
      context.owner().cancelTimer(timer);
      listener.up(this);
    }
  }

  @Override
  public void fail(Throwable unreadable) {
    end(Wire.reason(unreadable));
  }

  private void end(String reason) {
    if (!ended) {
      drop();
      home.dispatch(() -> listener.down(reason));
    }
  }
}
