package dev.latchkey.store.redis;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
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
 * What is said over one pipelined connection. Speaks for itself, by the driver's parser: the driver
 * writes each call by itself, where all calls of one turn of the event loop can leave in one write
 * and be read by the server in one, and it has a promise and a queue of its own for what {@link
 * Link} keeps already.
 *
 * <p>Confined to the event loop of its context, on which its listener is called.
 */
final class Pipe implements ParserHandler, ConnectionLife.Speech {

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
  private final RedisSettings settings;
  private final String endpoint;
  private final Listener listener;
  private final ConnectionLife life;
  private @Nullable NetClient client;
  private @Nullable NetSocket socket;
  private @Nullable Buffer gathered;
  private int greetings;

  private Pipe(ContextInternal home, RedisSettings settings, String endpoint, Listener listener) {
    this.home = home;
    this.settings = settings;
    this.endpoint = endpoint;
    this.listener = listener;
    life = new ConnectionLife(home, settings, this);
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
    Pipe pipe = new Pipe(home, settings, endpoint, listener);
    pipe.life.begin();
    return pipe;
  }

  /** Ends it, see {@link ConnectionLife#drop}. */
  Future<Void> drop() {
    return life.drop();
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
    if (socket != null && all != null && !life.hasEnded()) {
      write(socket, all);
    }
  }

  private void write(NetSocket to, Buffer bytes) {
    to.write(bytes).onFailure(life::end);
  }

  @Override
  public void connect(ContextInternal context) {
    RedisURI uri = new RedisURI(endpoint);
    NetClientOptions net = ConnectionLife.sockets(settings);
    NetClient made = context.owner().createNetClient(net.setSsl(net.isSsl() || uri.ssl()));
    client = made;
    made.connect(uri.socketAddress())
        .onComplete(connected -> greet(connected, uri, settings.options()), life::end);
  }

  @Override
  public void close() {
    gathered = null;
    if (client != null) {
      client.close();
      client = null;
    }
  }

  @Override
  public void down(String reason) {
    listener.down(reason);
  }

  /** Says who we are. A server that is silent is found out by that. */
  private void greet(NetSocket made, RedisURI uri, RedisOptions options) {
    if (life.hasEnded()) {
      return;
    }
    socket = made;
    RESPParser parser = new RESPParser(this, MOST_NESTED);
    made.handler(bytes -> home.dispatch(bytes, parser));
    made.closeHandler(ignored -> life.end("the server closed the connection"));
    made.exceptionHandler(life::end);
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
    if (life.hasEnded()) {
      return;
    }
    if (greetings == 0) {
      home.dispatch(answer, listener::answered);
    } else if (answer != null && answer.type() == ResponseType.ERROR) {
      life.end(answer.toString());
    } else if (--greetings == 0) {
      life.made();
      listener.up(this);
    }
  }

  @Override
  public void fail(Throwable unreadable) {
    life.end(unreadable);
  }
}
