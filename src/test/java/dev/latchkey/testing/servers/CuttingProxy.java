package dev.latchkey.testing.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * A TCP proxy on loopback that fails on demand, to stand between a node and its store. Between a
 * client and a Postgres it can act at one message of the protocol, unless they speak TLS, which
 * passes unread. Safe for any thread.
 */
public final class CuttingProxy implements AutoCloseable {

  /** What to do at a message. */
  public enum Action {
    /** The message does not arrive; both sides see the end of the stream. */
    CUT_BEFORE,
    /** The message arrives, nothing after it; both sides see the end of the stream. */
    CUT_AFTER,
    /** From this message on nothing arrives on this connection, in either direction. */
    SILENCE_BEFORE,
    /** The message arrives, nothing after it, in either direction. */
    SILENCE_AFTER;

    boolean lastArrives() {
      return this == CUT_AFTER || this == SILENCE_AFTER;
    }
  }

  private static final int MAX_TRACE = 100_000;
  private static final long ACCEPTOR_MILLIS = 10_000;

  private final String serverHost;
  private final int serverPort;
  private final boolean postgres;
  private final int port = Ports.free();
  private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
  private final List<ProxyRule> rules = new CopyOnWriteArrayList<>();
  private final List<PgMessage> trace = new ArrayList<>();
  private final Set<Direction> swallowed = ConcurrentHashMap.newKeySet();
  private final Map<Direction, Duration> delays = new EnumMap<>(Direction.class);
  private ServerSocket listener;
  private Thread acceptor;

  private CuttingProxy(String serverHost, int serverPort, boolean postgres) {
    this.serverHost = serverHost;
    this.serverPort = serverPort;
    this.postgres = postgres;
    accept();
  }

  /** Stands before a server of any kind. */
  public static CuttingProxy before(RealServer server) {
    return new CuttingProxy(server.host(), server.port(), server instanceof PostgresServer);
  }

  /** Stands before a server that speaks anything, such as HTTP. */
  public static CuttingProxy before(URI server) {
    return new CuttingProxy(server.getHost(), server.getPort(), false);
  }

  /** Stands before the Postgres that this database is on. */
  public static CuttingProxy before(Database database) {
    return new CuttingProxy(database.host(), database.port(), true);
  }

  /** Returns where it listens, on 127.0.0.1; the same for its whole life. */
  public int port() {
    return port;
  }

  /** Returns the given database, by way of this proxy. */
  public Database through(Database database) {
    return new Database("127.0.0.1", port, database.name(), database.user(), database.password());
  }

  /** Resets every connection now. New ones are served. */
  public void cutAll() {
    openNow().forEach(ProxyConnection::reset);
  }

  /**
   * Lets nothing arrive any more on the connections that are open now, in either direction, and
   * nobody know of it, as when a firewall forgets them. New ones are served.
   */
  public void silenceAll() {
    openNow().forEach(ProxyConnection::silence);
  }

  /** Lets new connections be refused, as by a server that is not there; open ones stay. */
  public synchronized void refuse() {
    close(listener);
    try {
      // Until it wakes up, it may still accept whoever connects.
      acceptor.join(ACCEPTOR_MILLIS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes connections again after {@link #refuse}. */
  public synchronized void accept() {
    try {
      listener = new ServerSocket();
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
    } catch (IOException e) {
      throw new AssertionError("the proxy cannot listen on port " + port, e);
    }
    ServerSocket accepting = listener;
    acceptor = daemon(() -> acceptAll(accepting));
  }

  /** Swallows what goes this way from now on, on all connections, silently. */
  public void swallow(Direction direction) {
    swallowed.add(direction);
  }

  /** Ends {@link #swallow}. A connection that has lost something stays silent that way for good. */
  public void pass() {
    swallowed.clear();
  }

  /** Delays every piece that goes this way; pieces do not overlap, so many add up. */
  public synchronized void delay(Direction direction, Duration delay) {
    delays.put(direction, delay);
  }

  /**
   * Acts once, at one message on whichever connection it comes. Counting starts now.
   *
   * @param matches which messages count; called on the proxy's threads, under its lock
   * @param nth the how-manieth of these, from 1
   * @param action what to do
   * @return completes with the message when it was done
   */
  public CompletableFuture<PgMessage> at(Predicate<PgMessage> matches, int nth, Action action) {
    if (!postgres) {
      throw new IllegalStateException("only the messages of Postgres are understood");
    }
    ProxyRule rule = new ProxyRule(matches, nth, action);
    rules.add(rule);
    return rule.happened();
  }

  /** Returns the messages that came so far, in the order in which they came. */
  public synchronized List<PgMessage> trace() {
    return List.copyOf(trace);
  }

  /** Forgets the trace, and rules that have not happened. */
  public synchronized void forget() {
    trace.clear();
    rules.clear();
  }

  /** Returns how many connections are open. */
  public int connections() {
    return connections.size();
  }

  @Override
  public void close() {
    refuse();
    cutAll();
  }

  boolean isSwallowed(Direction direction) {
    return swallowed.contains(direction);
  }

  synchronized Duration delay(Direction direction) {
    return delays.getOrDefault(direction, Duration.ZERO);
  }

  /** Notes a message and returns the rule for it, if one is due. */
  synchronized Optional<ProxyRule> note(PgMessage message) {
    if (trace.size() < MAX_TRACE) {
      trace.add(message);
    }
    Optional<ProxyRule> due = rules.stream().filter(rule -> rule.isDue(message)).findFirst();
    due.ifPresent(rules::remove);
    return due;
  }

  void ended(ProxyConnection connection) {
    connections.remove(connection);
  }

  static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // It is gone either way.
    }
  }

  /** A copy, since whoever loses one may have opened the next while the others are dealt with. */
  private List<ProxyConnection> openNow() {
    return List.copyOf(connections);
  }

  private void acceptAll(ServerSocket accepting) {
    while (!accepting.isClosed()) {
      Socket client;
      try {
        client = accepting.accept();
      } catch (IOException e) {
        return;
      }
      try {
        Socket server = new Socket(serverHost, serverPort);
        ProxyConnection connection = new ProxyConnection(this, client, server);
        connections.add(connection);
        connection.start(postgres);
      } catch (IOException e) {
        close(client);
      }
    }
  }
}
