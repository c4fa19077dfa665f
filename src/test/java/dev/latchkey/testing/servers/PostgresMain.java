package dev.latchkey.testing.servers;

import java.util.concurrent.CountDownLatch;

/**
 * Runs a Postgres with an empty database until the process is ended, for scripts that are given
 * none. Prints one line with its address when it is ready.
 */
public final class PostgresMain {

  private PostgresMain() {}

  /**
   * Starts it and waits for ever; ending the process ends the server and deletes its data.
   *
   * @param args none
   */
  public static void main(String[] args) throws InterruptedException {
    System.out.println("postgres ready on " + RealServers.freshDatabase().uri());
    new CountDownLatch(1).await();
  }
}
