package dev.latchkey.testing.servers;

/** How to start and end one server, whatever it runs in. */
interface ServerControl extends AutoCloseable {

  /** Returns {@code embedded} or {@code container}. */
  String kind();

  String host();

  int port();

  /** Starts it and returns when it takes connections. */
  void start();

  /** Ends all its processes with SIGKILL; does nothing when it does not run. */
  void kill9();

  void pause();

  void resume();

  void stop();

  /** Kills it and deletes its data. */
  @Override
  void close();
}
