package dev.latchkey.testing.servers;

/**
 * A server that a test may kill. All methods block and throw {@link AssertionError} when the server
 * does not obey. Not safe for use by several threads at once.
 */
public abstract sealed class RealServer implements AutoCloseable
    permits PostgresServer, RedisServer {

  private final ServerControl control;

  RealServer(ServerControl control) {
    this.control = control;
  }

  /** Returns {@code embedded} or {@code container}. */
  public final String kind() {
    return control.kind();
  }

  /** Returns the address that it listens on. */
  public final String host() {
    return control.host();
  }

  /** Returns the port that it listens on; it stays the same over a restart. */
  public final int port() {
    return control.port();
  }

  /** Returns the server's version as it says itself, such as {@code 17.11}. */
  public abstract String version();

  /** Ends all its processes with SIGKILL; what it had not made durable is lost. */
  public final void kill9() {
    control.kill9();
  }

  /** Stops all its processes with SIGSTOP: connections stay open, nothing responds. */
  public final void pause() {
    control.pause();
  }

  /** Lets them go on. */
  public final void resume() {
    control.resume();
  }

  /** Starts it again, killing it first if it runs, on the same data and the same port. */
  public final void restart() {
    control.kill9();
    control.start();
  }

  /** Ends it in an orderly way; its data stay. */
  public final void stop() {
    control.stop();
  }

  /** Ends it and deletes its data. */
  @Override
  public final void close() {
    control.close();
  }
}
