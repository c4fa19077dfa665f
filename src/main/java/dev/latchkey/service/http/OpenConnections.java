package dev.latchkey.service.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The open connections of a listener, up to a limit. At the limit a new connection replaces an idle
 * one; if it finds none, it is refused. Safe for any thread.
 */
public final class OpenConnections {

  /** Connections that are examined for a new one, which bounds its cost. */
  private static final int MAX_EXAMINED = 256;

  /** A connection as seen by its listener. */
  interface Connection {

    /** Whether it owes no response; a guess on any thread but its own. */
    boolean isIdle();

    /** Closes it, on its own thread, unless it owes a response by then. */
    void closeIfIdle();
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

  /** Adds a connection; false if it is to be closed, because no idle one could be. */
  synchronized boolean add(Connection connection) {
    boolean admitted = open.size() < max || closeIdle();
    if (admitted) {
      open.add(connection);
    }
    return admitted;
  }

  /** Removes a closed connection. */
  synchronized void remove(Connection connection) {
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
      if (candidate.isIdle()) {
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
