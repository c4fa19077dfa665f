package dev.latchkey.service.http;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The open connections of a listener, up to a limit. At the limit a new connection replaces an idle
 * one; if it finds none, it is refused. Safe for any thread.
 */
public final class OpenConnections {

  /** Connections that are examined for a new one, which bounds its cost. */
  private static final int MAX_EXAMINED = 256;

  /**
   * A connection.
   *
   * @param isIdle whether it owes no response; a guess on any thread but its own
   */
  private record Connection(Channel channel, BooleanSupplier isIdle) {

    void closeIfIdle() {
      channel
          .eventLoop()
          .execute(
              () -> {
                if (isIdle.getAsBoolean()) {
                  channel.close();
                }
              });
    }
  }

  private final int max;
  private final Set<Connection> open = new LinkedHashSet<>();

  /**
   * Creates an empty set.
   *
   * @param max connections, positive
   */
  public OpenConnections(int max) {
    this.max = max;
  }

  /**
   * Adds a connection until it closes.
   *
   * @param isIdle whether it owes no response; called on any thread
   * @return false if it is to be closed, because no idle one could be
   */
  boolean add(Channel channel, BooleanSupplier isIdle) {
    Connection connection = new Connection(channel, isIdle);
    if (!admit(connection)) {
      return false;
    }
    channel.closeFuture().addListener(closed -> remove(connection));
    return true;
  }

  private synchronized boolean admit(Connection connection) {
    boolean admitted = open.size() < max || closeIdle();
    if (admitted) {
      open.add(connection);
    }
    return admitted;
  }

  private synchronized void remove(Connection connection) {
    open.remove(connection);
  }

  /** Examined connections go to the end, so that the next call examines others. */
  private boolean closeIdle() {
    List<Connection> busy = new ArrayList<>();
    Iterator<Connection> oldest = open.iterator();
    boolean found = false;
    while (!found && busy.size() < MAX_EXAMINED && oldest.hasNext()) {
      Connection candidate = oldest.next();
      oldest.remove();
      if (candidate.isIdle().getAsBoolean()) {
        candidate.closeIfIdle();
        found = true;
      } else {
        busy.add(candidate);
      }
    }
    open.addAll(busy);
    return found;
  }
}
