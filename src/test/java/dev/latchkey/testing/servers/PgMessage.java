package dev.latchkey.testing.servers;

import java.nio.charset.StandardCharsets;

/**
 * One message of the Postgres protocol, version 3.
 *
 * @param direction where it goes
 * @param type its type byte, such as {@code P} for Parse; {@code 0} for the first of a connection
 * @param body what follows its length
 * @param sql the statement that it belongs to: of Parse, Bind, Describe, Execute and Query, and of
 *     the CommandComplete and the ErrorResponse that end these; else empty
 */
public record PgMessage(Direction direction, char type, byte[] body, String sql) {

  /** Whether it is the CommandComplete with this tag, such as {@code COMMIT}. */
  public boolean isCommandComplete(String tag) {
    return direction == Direction.TO_CLIENT && type == 'C' && text().equals(tag);
  }

  /** Whether it makes the server run a statement whose text contains this. */
  public boolean runs(String text) {
    return direction == Direction.TO_SERVER && (type == 'E' || type == 'Q') && sql.contains(text);
  }

  /** Returns its body up to the first zero byte. */
  public String text() {
    return zeroTerminated(0);
  }

  String zeroTerminated(int from) {
    int end = from;
    while (end < body.length && body[end] != 0) {
      end++;
    }
    return new String(body, from, end - from, StandardCharsets.UTF_8);
  }

  /** Not its body, which may hold a password. */
  @Override
  public String toString() {
    return direction + " " + (type == 0 ? "startup" : type) + (sql.isEmpty() ? "" : " " + sql);
  }
}
