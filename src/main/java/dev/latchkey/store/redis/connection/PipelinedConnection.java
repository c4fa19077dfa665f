package dev.latchkey.store.redis.connection;

import dev.latchkey.net.ConnectionFailure;
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
 * One pipelined connection, from the attempt to make it to its end; it may also subscribe. It uses
 * the driver's parser but not its connections: those write every call on its own, where all calls
 * of one turn of the event loop can leave in one write, and they cannot be cut while a response is
 * outstanding.
 *
 * <p>Confined to the event loop of its context, on which its listener is called.
 */
final class PipelinedConnection implements ParserHandler {

  private static final int MAX_NESTING = 16;

  /** Told about the connection. */
  interface Listener {

    /** It is ready for calls. */
    void up(PipelinedConnection connection);

    /** It could not be made, or has ended. Called at most once, and never after {@link #drop}. */
    void down(String reason);

    /** The next response, or a message of a subscription; null is nil. */
    void received(@Nullable Response response);
  }

  private final ContextInternal home;
  private final ContextInternal context;
  private final CloseFuture resources = new CloseFuture();
  private final RedisOptions redis;
  private final long timeoutMillis;
  private final String endpoint;
  private final Listener listener;
  private @Nullable NetClient client;
  private @Nullable NetSocket socket;
  private @Nullable Buffer gathered;
  private int greetings;
  private boolean ended;
  private long timer = -1;

  private PipelinedConnection(
      ContextInternal home, ConnectionSettings settings, RedisAddress address, Listener listener) {
    // Vert.x keeps what a client opens until the Vert.x instance is closed, even after the client
    // was closed. So each connection has its own context to close it with.
    this.context =
        home.owner()
            .contextBuilder()
            .withEventLoop(home.nettyEventLoop())
            .withCloseFuture(resources)
            .build();
    this.home = home;
    this.redis = settings.redis();
    this.timeoutMillis = settings.options().getConnectTimeoutMillis();
    this.endpoint = settings.endpoint(address);
    this.listener = listener;
  }

  /**
   * Begins to connect.
   *
   * @param home the event loop to stay on; the listener is called in this context
   * @param settings timeouts, TLS and credentials
   * @param address the server
   * @param listener called on the event loop, never before this returns
   */
  static PipelinedConnection open(
      ContextInternal home, ConnectionSettings settings, RedisAddress address, Listener listener) {
    PipelinedConnection connection = new PipelinedConnection(home, settings, address, listener);
    // In a task, so that the client finds this context current and not that of a request.
    connection.context.runOnContext(ignored -> connection.connect());
    return connection;
  }

  private void connect() {
    if (ended) {
      return;
    }
    timer =
        context.setTimer(timeoutMillis, id -> end("no connection after " + timeoutMillis + " ms"));
    try {
      RedisURI uri = new RedisURI(endpoint);
      // A copy, since copies of the driver's options share it.
      NetClientOptions net =
          new NetClientOptions(redis.getNetClientOptions())
              .setConnectTimeout(Math.toIntExact(timeoutMillis))
              .setTcpNoDelay(true)
              .setTcpKeepAlive(true);
      client = context.owner().createNetClient(net.setSsl(net.isSsl() || uri.ssl()));
      client.connect(uri.socketAddress()).onComplete(made -> greet(made, uri), this::end);
    } catch (RuntimeException invalid) {
      end(invalid);
    }
  }

  /** Sends the credentials; a server that stays silent is detected by this. */
  private void greet(NetSocket made, RedisURI uri) {
    if (ended) {
      return;
    }
    socket = made;
    RESPParser parser = new RESPParser(this, MAX_NESTING);
    made.handler(bytes -> home.dispatch(bytes, parser));
    made.closeHandler(ignored -> end("the server closed the connection"));
    made.exceptionHandler(this::end);
    List<String> hello = new ArrayList<>(List.of("HELLO", "2"));
    Optional<String> password =
        Optional.ofNullable(uri.password()).or(() -> Optional.ofNullable(redis.getPassword()));
    password.ifPresent(
        secret -> {
          String user = Optional.ofNullable(uri.user()).orElse("");
          hello.addAll(List.of("AUTH", user.isEmpty() ? "default" : user, secret));
        });
    Buffer greeting = Buffer.buffer();
    RespEncoder.command(greeting, hello);
    greetings = 1;
    if (uri.select() != null) {
      RespEncoder.command(greeting, List.of("SELECT", uri.select()));
      greetings++;
    }
    made.write(greeting).onFailure(this::end);
  }

  @Override
  public void handle(@Nullable Response response) {
    if (ended) {
      return;
    }
    if (greetings == 0) {
      home.dispatch(response, listener::received);
    } else if (response != null && response.type() == ResponseType.ERROR) {
      end(response.toString());
    } else if (--greetings == 0) {
      context.owner().cancelTimer(timer);
      listener.up(this);
    }
  }

  @Override
  public void fail(Throwable unreadable) {
    end(unreadable);
  }

  /** Sends a call in one write with all others of this turn; only while the connection is up. */
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
      socket.write(all).onFailure(this::end);
    }
  }

  /** Closes it at once without telling the listener. Idempotent. */
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

  private void end(Throwable failure) {
    end(ConnectionFailure.reason(failure));
  }

  private void end(String reason) {
    if (!ended) {
      drop();
      home.dispatch(() -> listener.down(reason));
    }
  }
}
