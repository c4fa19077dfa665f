package dev.latchkey.net;

import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;

/** Describes the failure of a connection, for logs and errors. Safe for any thread. */
public final class ConnectionFailure {

  private static final int MOST_CAUSES = 16;

  private ConnectionFailure() {}

  /**
   * Describes a failure in one line: its message, or its class if it has none. A TLS failure is
   * followed by its root cause, such as a certificate that is not trusted.
   *
   * @param failure of a connection attempt or of a connection
   * @return never empty
   */
  public static String reason(Throwable failure) {
    String message = message(failure);
    boolean ofTls = failure instanceof SSLException;
    Throwable first = failure;
    for (int i = 0; i < MOST_CAUSES && first.getCause() != null; i++) {
      first = first.getCause();
      ofTls |= first instanceof SSLException;
    }
    String cause = message(first);
    return ofTls && !message.contains(cause) ? message + ": " + cause : message;
  }

  private static String message(Throwable failure) {
    if (failure instanceof ClosedChannelException) {
      return "the connection was closed";
    }
    String message = failure.getMessage();
    String text = message == null || message.isBlank() ? failure.toString() : message;
    return text.lines().findFirst().orElse("no reason given");
  }
}
