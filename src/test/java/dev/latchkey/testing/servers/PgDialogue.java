package dev.latchkey.testing.servers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Follows one connection's statements, so that a message can be told by the SQL that it belongs to.
 * Called under the lock of its connection.
 */
final class PgDialogue {

  private static final int MAX_STATEMENTS = 10_000;

  private final Map<String, String> statements = new HashMap<>();
  private final Map<String, String> portals = new HashMap<>();
  private final Deque<Pending> pending = new ArrayDeque<>();

  /**
   * What the server has not responded to yet: an Execute, or a Sync or Query, which end by
   * ReadyForQuery.
   */
  private record Pending(String sql, boolean endsByReady) {}

  PgMessage note(Direction direction, char type, byte[] body) {
    PgMessage bare = new PgMessage(direction, type, body, "");
    String sql = direction == Direction.TO_SERVER ? fromClient(bare) : fromServer(bare);
    return new PgMessage(direction, type, body, sql);
  }

  private String fromClient(PgMessage message) {
    String first = message.text();
    switch (message.type()) {
      case 'P' -> {
        String sql = message.zeroTerminated(first.length() + 1);
        if (statements.size() >= MAX_STATEMENTS) {
          throw new IllegalStateException("more prepared statements than this proxy remembers");
        }
        statements.put(first, sql);
        return sql;
      }
      case 'B' -> {
        String sql = statements.getOrDefault(message.zeroTerminated(first.length() + 1), "");
        portals.put(first, sql);
        return sql;
      }
      case 'D', 'C' -> {
        String name = message.zeroTerminated(1);
        Map<String, String> named = message.body()[0] == 'S' ? statements : portals;
        String sql = named.getOrDefault(name, "");
        if (message.type() == 'C') {
          named.remove(name);
        }
        return sql;
      }
      case 'E' -> {
        String sql = portals.getOrDefault(first, "");
        pending.add(new Pending(sql, false));
        return sql;
      }
      case 'Q' -> {
        pending.add(new Pending(first, true));
        return first;
      }
      case 'S' -> pending.add(new Pending("", true));
      default -> {
        // Carries no statement.
      }
    }
    return "";
  }

  private String fromServer(PgMessage message) {
    Pending next = pending.peek();
    if (next == null) {
      return "";
    }
    switch (message.type()) {
      case 'C', 'I', 's' -> {
        if (!next.endsByReady()) {
          pending.remove();
        }
        return next.sql();
      }
      case 'E' -> {
        // The server skips what follows, up to the Sync.
        while (!pending.isEmpty() && !pending.peek().endsByReady()) {
          pending.remove();
        }
        return next.sql();
      }
      case 'Z' -> pending.remove();
      default -> {
        // Belongs to a response that is not over.
      }
    }
    return "";
  }
}
