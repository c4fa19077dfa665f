package dev.latchkey.testing.servers;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that cannot be given port 0 and must find theirs free again after a restart.
 * They lie below the range from which the system serves outgoing connections, and so does the port
 * 10000 above them, which Redis takes for its cluster bus.
 */
public final class Ports {

  private static final int FIRST = 12_000;
  private static final int LAST = 21_999;
  private static final int TRIES = 1_000;

  private static final Queue<DatagramSocket> RESERVED = new ConcurrentLinkedQueue<>();

  private Ports() {}

  /**
   * Returns a port that is free on loopback now, and to nobody else as long as this JVM lives, nor
   * to another one: it may be left for a while before it is used, and between two uses.
   */
  public static int free() {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      if (reserve(port) && isFree(port) && isFree(port + 10_000)) {
        return port;
      }
    }
    throw new AssertionError("no free port from " + FIRST + " to " + LAST);
  }

  /** By the UDP port of the same number, which no server here wants and which ends with the JVM. */
  private static boolean reserve(int port) {
    try {
      RESERVED.add(new DatagramSocket(new InetSocketAddress("127.0.0.1", port)));
      return true;
    } catch (SocketException taken) {
      return false;
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
