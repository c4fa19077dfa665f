package dev.latchkey.testing.servers;

/**
 * A server that a test may kill. All methods block and throw {@link AssertionError} when the server
 * does not obey. Not safe for use by several threads at once.
 */
public interface RealServer extends AutoCloseable {

  /** Returns the address that it listens on. */
  String host();

  /** Returns the port that it listens on; it stays the same over a restart. */
  int port();

  /** Ends all its processes with SIGKILL; what it had not made durable is lost. */
  void kill9();

  /** Stops all its processes with SIGSTOP: connections stay open, nothing answers. */
  void pause();

  /** Lets them go on. */
  void resume();

  /** Starts it again, killing it first if it runs, on the same data and the same port. */
  void restart();

  /** Ends it in an orderly way; its data stay. */
  void stop();

  /** Ends it and deletes its data. */
  @Override
  void close();
}
