package dev.latchkey.testing.servers;

import java.util.concurrent.CountDownLatch;

/**
 * Runs an empty Redis that keeps every write until the process is ended, for scripts that are given
 * none. Prints one line with its address when it is ready.
 */
public final class RedisMain {

  private RedisMain() {}

  /**
   * Starts it and waits for ever; ending the process ends the server and deletes its data.
   *
   * @param args none
   */
  public static void main(String[] args) throws InterruptedException {
    RedisServer server = RealServers.startRedis("--appendonly", "yes", "--appendfsync", "always");
    System.out.println("redis ready on " + server.uri());
    new CountDownLatch(1).await();
  }
}
